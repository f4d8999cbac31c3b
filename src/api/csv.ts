import { stringify } from 'csv-stringify/sync';

/** A number as a CSV cell shows it: what begins with a minus sign and is one is no formula. */
const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;

/**
 * What spreadsheets take for the beginning of a formula; the full-width forms are taken for one in East Asian locales.
 * Apostrophes before it count, so that whoever takes one away from what looks so has the text that came, always.
 */
const FORMULA = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** Digits that a spreadsheet would lose as a number: those beyond 15, and zeros at the front. */
const LONG_OR_PADDED = /^-?(0\d|(\d\.?){16})[\d.]*$/;

/**
 * A text that no spreadsheet runs: an apostrophe is put before what would be a formula (docs/spec/finance.md, Reports
 * and exports).
 */
export const spreadsheetSafe = (text: string): string =>
  FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;

/** Lines of CSV (RFC 4180, CRLF), each cell as a text that is the same for every reader; long and padded digits quoted. */
export const csvLines = (rows: readonly (readonly string[])[]): string =>
  stringify(
    rows.map((row) => row.map(spreadsheetSafe)),
    { record_delimiter: 'windows', quote_record_delimiter: true, quoted_match: [LONG_OR_PADDED] },
  );
