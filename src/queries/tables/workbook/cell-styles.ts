/** How the cells of a column are shown: amounts with two decimals at least, tokens with the digits that they have, long texts in lines. */
export type CellFormat = 'text' | 'lines' | 'money' | 'tokens' | 'count' | 'plain' | 'time';

/** What a row is for. */
export type RowKind = 'heading' | 'body' | 'total';

const FORMATS: readonly CellFormat[] = ['text', 'lines', 'money', 'tokens', 'count', 'plain', 'time'];
const KINDS: readonly RowKind[] = ['heading', 'body', 'total'];

/** The number of the built-in format for texts: what is typed anew over such a cell stays a text. */
const TEXT = 49;
/** Numbers from here on are for formats of one's own. */
const OWN = 164;

const CODES: Readonly<Record<CellFormat, string | null>> = {
  text: null,
  lines: null,
  money: '#,##0.00??########',
  tokens: 'General',
  count: '#,##0',
  plain: '0',
  time: 'yyyy-mm-dd hh:mm:ss',
};

const isToTheRight = (format: CellFormat): boolean => !['text', 'lines', 'time'].includes(format);

/** Number of a style: of a row, a column's format, and whether the cell holds a text. */
export const styleOf = (kind: RowKind, format: CellFormat, isText: boolean): number =>
  1 + (KINDS.indexOf(kind) * FORMATS.length + FORMATS.indexOf(format)) * 2 + (isText ? 1 : 0);

const numberFormatOf = (format: CellFormat, isText: boolean): number =>
  isText || CODES[format] === null ? TEXT : CODES[format] === 'General' ? 0 : OWN + FORMATS.indexOf(format);

/** Numbers of a font, a fill and a border below. */
const LOOKS: Readonly<Record<RowKind, string>> = {
  heading: 'fontId="1" fillId="2" borderId="1"',
  body: 'fontId="0" fillId="0" borderId="0"',
  total: 'fontId="1" fillId="0" borderId="2"',
};

const style = (kind: RowKind, format: CellFormat, isText: boolean): string => {
  // The digits of an amount that is a text stand under those of the others.
  const horizontal = isToTheRight(format) ? 'right" indent="1' : 'left';
  // An amount is shown with all of its digits, smaller where its column is too narrow, and never cut off.
  const fitted =
    kind === 'heading' || format === 'lines' ? ' wrapText="1"' : isToTheRight(format) ? ' shrinkToFit="1"' : '';
  const vertical = kind === 'heading' ? 'center' : 'top';
  return (
    `<xf numFmtId="${numberFormatOf(format, isText)}" ${LOOKS[kind]} xfId="0" ` +
    'applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1" applyAlignment="1">' +
    `<alignment horizontal="${horizontal}" vertical="${vertical}"${fitted}/></xf>`
  );
};

const STYLES = KINDS.flatMap((kind) =>
  FORMATS.flatMap((format) => [style(kind, format, false), style(kind, format, true)]),
);

const OWN_FORMATS = FORMATS.flatMap((format, i) => {
  const code = CODES[format];
  return code === null || code === 'General' ? [] : [`<numFmt numFmtId="${OWN + i}" formatCode="${code}"/>`];
});

const FONT = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
const EMPTY_BORDER = '<left/><right/><top/><bottom/><diagonal/>';
const LINE = ' style="thin"><color rgb="FF7A869A"/>';

/** The part of a workbook that all styles stand in: headings on grey with a line below, totals bold with a line above. */
export const STYLES_PART =
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' +
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  `<numFmts count="${OWN_FORMATS.length}">${OWN_FORMATS.join('')}</numFmts>` +
  `<fonts count="2"><font>${FONT}</font><font><b/>${FONT}</font></fonts>` +
  '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
  '<fill><patternFill patternType="solid"><fgColor rgb="FFE8ECF2"/><bgColor indexed="64"/></patternFill></fill></fills>' +
  `<borders count="3"><border>${EMPTY_BORDER}</border>` +
  `<border><left/><right/><top/><bottom${LINE}</bottom><diagonal/></border>` +
  `<border><left/><right/><top${LINE}</top><bottom/><diagonal/></border></borders>` +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  `<cellXfs count="${STYLES.length + 1}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>${STYLES.join('')}</cellXfs>` +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';
