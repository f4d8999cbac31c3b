import type { parse as Parse } from 'csv-parse/sync';
import * as t from 'io-ts';
import { unreadable, type StatementUnreadable } from '../unreadable.ts';
import { textCell, type TableRow } from './table-row.ts';
import { wideRecord } from './wide-record.ts';

const Read = t.type({ record: t.array(t.string), raw: t.string });

/** A record longer than this is no line of a bank's. */
const LONGEST_RECORD = 262_144;

/** As of a sheet: no bank's line has so many columns. */
const MOST_COLUMNS = 1_000;

const DELIMITERS = [',', ';', '\t', '|'];

/** The text behind a number of lines, and null where it has fewer. */
const behindLines = (text: string, lines: number): string | null => {
  let at = 0;
  for (let line = 0; line < lines; line += 1) {
    const end = text.indexOf('\n', at);
    if (end === -1) return null;
    at = end + 1;
  }
  return text.slice(at);
};

/** Which delimiter the header uses: the one that divides it into the most parts. */
const delimiterOf = (header: string): string =>
  DELIMITERS.reduce((best, candidate) =>
    header.split(candidate).length > header.split(best).length ? candidate : best,
  );

const lineOfError = (error: unknown): number | null =>
  typeof error === 'object' && error !== null && 'lines' in error && typeof error.lines === 'number'
    ? error.lines
    : null;

/**
 * Hands over the rows of a CSV file from its header on, without empty ones, one by one: all of them as they were read would be a
 * multiple of the file. Null where it was read to its end; else the refusal, which is none of the rows' own.
 *
 * @param parse csv-parse's reader, which is loaded when the first file comes
 * @param delimiter null: found from the header
 */
export const readCsv = (
  parse: typeof Parse,
  text: string,
  skipRows: number,
  delimiter: string | null,
  take: (row: TableRow) => void,
): StatementUnreadable | null => {
  const body = behindLines(text.replace(/\r\n?/g, '\n'), skipRows);
  if (body === null) return unreadable(null, 'skipRows', `the file has no more than ${String(skipRows)} lines`);
  const header = body.trimStart().split('\n', 1)[0]?.slice(0, LONGEST_RECORD) ?? '';
  const separator = delimiter ?? delimiterOf(header);
  const wide = wideRecord(body, separator, MOST_COLUMNS);
  if (wide !== null) return unreadable(wide + skipRows, 'csv', `only ${String(MOST_COLUMNS)} columns are read`);
  const faults: unknown[] = [];
  /** What fails in whoever takes a row is no fault of the file: it would be told as one below. */
  const takeOr = (row: TableRow): void => {
    try {
      take(row);
    } catch (thrown) {
      faults.push(thrown);
      throw thrown;
    }
  };
  try {
    parse(body, {
      delimiter: separator,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: LONGEST_RECORD,
      info: true,
      raw: true,
      on_record: (read: unknown, { lines }) => {
        if (!Read.is(read)) return null;
        // Spreadsheets write empty rows below a table as separators alone.
        if (read.record.every((text) => text.trim() === '')) return null;
        const row = read.raw.replace(/^\n+/, '').trimEnd();
        takeOr({ line: skipRows + lines - row.split('\n').length + 1, cells: read.record.map(textCell), raw: row });
        return null;
      },
    });
    return null;
  } catch (error) {
    if (faults.length > 0) throw error;
    const line = lineOfError(error);
    return unreadable(line === null ? null : line + skipRows, 'csv', 'a quote is not closed, or a record is too long');
  }
};
