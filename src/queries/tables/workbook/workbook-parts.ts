import { columnLetters } from './sheet-xml.ts';
import type { Sheet } from './sheet.ts';
import { xmlText } from './xml-text.ts';

/** A sheet that is written. `body`: its last row that is no total; `rows`: its last row. */
export type WrittenSheet = {
  readonly sheet: Pick<Sheet<never>, 'name' | 'columns' | 'printedColumns' | 'isFiltered'>;
  readonly body: number;
  readonly rows: number;
};

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const OPEN_XML = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Parts that every workbook has, where they stand and what they are. */
export const PART_TYPES = {
  workbook: { path: 'xl/workbook.xml', type: `${OPEN_XML}.sheet.main+xml` },
  styles: { path: 'xl/styles.xml', type: `${OPEN_XML}.styles+xml` },
  properties: { path: 'docProps/core.xml', type: 'application/vnd.openxmlformats-package.core-properties+xml' },
} as const;

const SHEET_TYPE = `${OPEN_XML}.worksheet+xml`;

/** What each part is. */
export const contentTypes = (sheets: readonly string[]): string => {
  const parts = [...Object.values(PART_TYPES), ...sheets.map((path) => ({ path, type: SHEET_TYPE }))];
  return (
    `${XML}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    parts.map(({ path, type }) => `<Override PartName="/${path}" ContentType="${type}"/>`).join('') +
    '</Types>'
  );
};

const relation = (id: number, type: string, target: string): string =>
  `<Relationship Id="rId${id}" Type="${type}" Target="${target}"/>`;

/** Where the file's own parts are. */
export const FILE_RELATIONS =
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">` +
  relation(1, `${DOCUMENT}/officeDocument`, PART_TYPES.workbook.path) +
  relation(2, `${PACKAGE}/relationships/metadata/core-properties`, PART_TYPES.properties.path) +
  '</Relationships>';

/** Where the parts of the workbook are: its sheets by their numbers, then its styles. */
export const workbookRelations = (sheets: readonly string[]): string =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">` +
  sheets.map((path, i) => relation(i + 1, `${DOCUMENT}/worksheet`, `/${path}`)).join('') +
  relation(sheets.length + 1, `${DOCUMENT}/styles`, `/${PART_TYPES.styles.path}`) +
  '</Relationships>';

/** The workbook's title, and when it was changed. */
export const properties = (title: string, modified: Date): string => {
  const at = modified.toISOString();
  return (
    `${XML}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" ` +
    'xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
    `<dc:title>${xmlText(title)}</dc:title><dc:creator>Ramp Ledger</dc:creator>` +
    `<dcterms:created xsi:type="dcterms:W3CDTF">${at}</dcterms:created>` +
    `<dcterms:modified xsi:type="dcterms:W3CDTF">${at}</dcterms:modified></cp:coreProperties>`
  );
};

const quoted = (name: string): string => `'${name.replaceAll("'", "''")}'`;

const range = (columns: number, rows: number): string => `$A$1:$${columnLetters(columns - 1)}$${rows}`;

/** Names that spreadsheets know: what is printed on every page, what is printed at all, and what filters are over. */
const namesOf = (
  { sheet: { name, columns, printedColumns, isFiltered }, body, rows }: WrittenSheet,
  i: number,
): string => {
  const known = (key: string, cells: string, attributes = ''): string =>
    `<definedName name="_xlnm.${key}" localSheetId="${i}"${attributes}>${xmlText(quoted(name))}!${cells}</definedName>`;
  return (
    (isFiltered === true ? known('_FilterDatabase', range(columns.length, body), ' hidden="1"') : '') +
    (printedColumns === undefined ? '' : known('Print_Area', range(printedColumns, rows))) +
    known('Print_Titles', '$1:$1')
  );
};

/** The part that names the sheets, in their order. */
export const workbookPart = (written: readonly WrittenSheet[]): string =>
  `${XML}<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><bookViews><workbookView/></bookViews><sheets>` +
  written
    .map(({ sheet }, i) => `<sheet name="${xmlText(sheet.name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
    .join('') +
  `</sheets><definedNames>${written.map(namesOf).join('')}</definedNames></workbook>`;
