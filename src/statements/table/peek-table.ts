import { readText } from '../read-text.ts';
import { isUnreadable, type StatementUnreadable } from '../unreadable.ts';
import { readCsv } from './read-csv.ts';
import type { TableRow } from './table-row.ts';

/** The first rows of a table as they stand, without anybody having said what they are. */
export type PeekedTable = {
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
  /** What stands between the cells of a text; null for a workbook. */
  readonly delimiter: string | null;
};

const MOST_ROWS = 40;
const MOST_COLUMNS = 60;
const LONGEST_CELL = 200;
/** Of a text, no more than this is looked at. */
const MOST_TEXT = 262_144;

const LINE_FEED = 0x0a;

const DELIMITERS = [',', ';', '\t', '|'];

const shown = (rows: readonly TableRow[], delimiter: string | null): PeekedTable => ({
  rows: rows.slice(0, MOST_ROWS).map(({ line, cells }) => ({
    line,
    cells: cells.slice(0, MOST_COLUMNS).map(({ text }) => text.slice(0, LONGEST_CELL)),
  })),
  delimiter,
});

/** The bytes that are looked at, cut where a line ends: half a character at the end would say that it is another encoding. */
const firstLines = (bytes: Uint8Array): Uint8Array => {
  if (bytes.length <= MOST_TEXT) return bytes;
  const end = bytes.lastIndexOf(LINE_FEED, MOST_TEXT);
  return end === -1 ? bytes : bytes.subarray(0, end);
};

/** The first lines; a cut text ends with a whole one. */
const begin = (text: string): string => {
  const lines = text.slice(0, MOST_TEXT).replace(/\r\n?/g, '\n').split('\n');
  return lines.slice(0, MOST_ROWS).join('\n');
};

/** What divides the lines into the most parts: lines before the header have few or none. */
const delimiterIn = (text: string): string =>
  DELIMITERS.reduce((best, one) => (text.split(one).length > text.split(best).length ? one : best));

/** Looks at the first rows of a CSV or a workbook. */
export const peekTable = async (
  bytes: Uint8Array,
  format: 'csv' | 'xlsx',
): Promise<PeekedTable | StatementUnreadable> => {
  if (format === 'xlsx') {
    const [hucre, { readXlsxRows }] = await Promise.all([import('hucre/xlsx'), import('./read-xlsx.ts')]);
    const rows: TableRow[] = [];
    const refused = await readXlsxRows(hucre, bytes, 0, (row) => {
      if (rows.length < MOST_ROWS) rows.push(row);
    });
    return refused ?? shown(rows, null);
  }
  const { parse } = await import('csv-parse/sync');
  const text = readText(firstLines(bytes));
  // In an encoding of two bytes the last character may be cut in two all the same.
  const whole = isUnreadable(text) ? readText(bytes) : text;
  if (isUnreadable(whole)) return whole;
  const first = begin(whole);
  const delimiter = delimiterIn(first);
  const rows: TableRow[] = [];
  return readCsv(parse, first, 0, delimiter, (row) => rows.push(row)) ?? shown(rows, delimiter);
};
