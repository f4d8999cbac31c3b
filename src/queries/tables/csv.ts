import { stringify } from 'csv-stringify/sync';

/** A number as a CSV cell shows it: what begins with a minus sign and is one is no formula. */
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * Where a spreadsheet would begin to read a formula: at the start, and behind what it may take for the end of a cell or a
 * line. Semicolons and tabs separate cells where commas stand in numbers, and quotes mean nothing there within a line, but
 * right behind such a separator: there they go away, and a formula may be what is left. The full-width forms are taken for
 * one in East Asian locales. Apostrophes before it count, so that whoever takes one away from what looks so has the text
 * that came, always. So do U+0000, which LibreOffice leaves out; blanks don't, since no spreadsheet runs what is behind one.
 */
const FORMULA = /(?<=^|[;|\t\r\n])(?=['"\0]*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20])/g;

/**
 * A text that no spreadsheet runs: an apostrophe is put before each thing that would be a formula (docs/spec/finance.md, Reports
 * and exports).
 */
export const spreadsheetSafe = (text: string): string =>
  PLAIN_NUMBER.test(text) ? text : text.replaceAll(FORMULA, "'");

/** Lines of CSV (RFC 4180, CRLF), each cell as a quoted text that is the same for every reader. */
export const csvLines = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((row) => row.map(spreadsheetSafe)),
    { record_delimiter: 'windows', quoted: true, quoted_empty: true },
  );
