import { styleOf, type RowKind } from './cell-styles.ts';
import type { Cell, Sheet, SheetColumn } from './sheet.ts';
import { xmlText } from './xml-text.ts';

/** The letters of a column, from 0: `A`, `Z`, `AA`. */
export const columnLetters = (column: number): string =>
  (column >= 26 ? columnLetters(Math.floor(column / 26) - 1) : '') + String.fromCharCode(65 + (column % 26));

/** White space at the ends, and several in a row, are kept only where it is said. */
const textElement = (text: string): string =>
  /^\s|\s$|\s\s|[\n\t]/u.test(text)
    ? `<is><t xml:space="preserve">${xmlText(text)}</t></is>`
    : `<is><t>${xmlText(text)}</t></is>`;

/** In points. */
const LINE_HEIGHT = 15;

/** Writes the rows of a sheet, one after the other. */
export class RowWriter {
  readonly #styles: Readonly<Record<RowKind, readonly (readonly [value: number, text: number])[]>>;
  readonly #letters: readonly string[];
  readonly #ofLines: readonly { readonly at: number; readonly width: number }[];
  #rows = 0;

  constructor(columns: readonly SheetColumn[]) {
    const styles = (kind: RowKind) =>
      columns.map(({ format }) => [styleOf(kind, format, false), styleOf(kind, format, true)] as const);
    this.#styles = { heading: styles('heading'), body: styles('body'), total: styles('total') };
    this.#ofLines = columns.flatMap(({ format, width }, at) => (format === 'lines' ? [{ at, width }] : []));
    this.#letters = columns.map((_column, i) => columnLetters(i));
  }

  /** How many rows are written. */
  get rows(): number {
    return this.#rows;
  }

  row(kind: RowKind, cells: readonly Cell[]): string {
    this.#rows += 1;
    let xml = `<row r="${this.#rows}"${this.#height(cells)}>`;
    for (let i = 0; i < this.#letters.length; i += 1) xml += this.#cell(kind, i, cells[i] ?? null);
    return `${xml}</row>`;
  }

  /** Not every spreadsheet finds out by itself how high a row with lines has to be. */
  #height(cells: readonly Cell[]): string {
    let lines = 1;
    for (const { at, width } of this.#ofLines) {
      const cell = cells[at];
      if (typeof cell !== 'string') continue;
      lines = Math.max(
        lines,
        cell.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / width)), 0),
      );
    }
    return lines === 1 ? '' : ` ht="${lines * LINE_HEIGHT}" customHeight="1"`;
  }

  #cell(kind: RowKind, column: number, cell: Cell): string {
    const [value = 0, text = 0] = this.#styles[kind][column] ?? [];
    const place = `<c r="${this.#letters[column] ?? ''}${this.#rows}" s="`;
    if (cell === null) return kind === 'body' ? '' : `${place}${value}"/>`;
    if (typeof cell === 'number') return `${place}${value}"><v>${cell}</v></c>`;
    return typeof cell === 'boolean'
      ? `${place}${value}" t="b"><v>${cell ? 1 : 0}</v></c>`
      : `${place}${text}" t="inlineStr">${textElement(cell)}</c>`;
  }
}

const pane = (frozenColumns: number): string =>
  `<pane ySplit="1"${frozenColumns > 0 ? ` xSplit="${frozenColumns}"` : ''} topLeftCell="${columnLetters(frozenColumns)}2" ` +
  `activePane="${frozenColumns > 0 ? 'bottomRight' : 'bottomLeft'}" state="frozen"/>`;

/** What stands before the rows of a sheet. */
export const sheetHead = ({ columns, frozenColumns = 0 }: Sheet<unknown>, isFirst: boolean): string =>
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' +
  '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
  '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>' +
  `<sheetViews><sheetView${isFirst ? ' tabSelected="1"' : ''} workbookViewId="0">${pane(frozenColumns)}</sheetView></sheetViews>` +
  '<sheetFormatPr defaultRowHeight="15"/><cols>' +
  columns.map(({ width }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`).join('') +
  '</cols><sheetData>';

/** As much as the head of a printed page may hold. */
const LONGEST_HEAD = 200;

/** A text in the head of a page, where `&` begins a code. */
const headText = (text: string): string => xmlText(text.slice(0, LONGEST_HEAD).replaceAll('&', '&&'));

/**
 * What stands behind the rows of a sheet: filters, and how it is printed. Amounts that are texts because a spreadsheet
 * would round them are no mistakes.
 *
 * @param body the last row that is no total; @param rows the last row of all
 */
export const sheetTail = (
  { columns, title, isFiltered = false }: Sheet<unknown>,
  { body, rows }: { readonly body: number; readonly rows: number },
): string => {
  const last = columnLetters(columns.length - 1);
  return (
    '</sheetData>' +
    (isFiltered ? `<autoFilter ref="A1:${last}${body}"/>` : '') +
    '<pageMargins left="0.4" right="0.4" top="0.75" bottom="0.6" header="0.3" footer="0.3"/>' +
    '<pageSetup paperSize="9" orientation="landscape" fitToWidth="1" fitToHeight="0"/>' +
    `<headerFooter><oddHeader>&amp;L&amp;"-,Bold"${headText(title)}</oddHeader>` +
    '<oddFooter>&amp;L&amp;A&amp;RPage &amp;P of &amp;N</oddFooter></headerFooter>' +
    `<ignoredErrors><ignoredError sqref="A1:${last}${rows}" numberStoredAsText="1"/></ignoredErrors></worksheet>`
  );
};
