import type { CellValue, WriteSheet } from 'hucre/xlsx';
import type { GroupKey } from '../../../projections/report/index.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../domain/json.ts';
import { jsonLeaves } from '../tables/json-leaves.ts';
import { sheetColumn } from '../tables/sheet-column.ts';
import { numberCell, textCell } from '../tables/xlsx-cell.ts';
import { reportTable } from './report-csv.ts';

/** Columns that are no counts or amounts, whatever digits they hold. */
const TEXT = /^(?:day|month|token|currency|symbol|address)$/;

const typed = (column: string | undefined, text: string): CellValue => {
  if (text === '') return null;
  return column === undefined || TEXT.test(column) ? textCell(text) : numberCell(text);
};

/** A table whose first line holds the JSON paths of its columns. */
const sheet = (name: string, [header = [], ...lines]: readonly (readonly string[])[]): WriteSheet => {
  const columns = header.map(sheetColumn);
  return {
    name,
    columns: columns.map(({ header: _written, ...format }) => format),
    rows: [
      columns.map(({ header: heading }) => textCell(heading)),
      ...lines.map((line) => line.map((text, i) => typed(header[i], text))),
    ],
    freezePane: { rows: 1 },
  };
};

const KEYS = ['day', 'month', 'token', 'chainId', 'currency'] as const;
const TOKEN = ['symbol', 'address', 'chainId', 'amount', 'baseUnits', 'averageConversionRate'] as const;

/** Sums without the token lines, which have a sheet of their own. */
const withoutTokens = (rows: readonly JsonObject[]): readonly JsonObject[] =>
  rows.map(({ tokens: _lines, ...row }) => row);

const tokenLines = (row: JsonObject): readonly JsonObject[] => {
  const { tokens } = row;
  return tokens !== undefined && isJsonArray(tokens) ? tokens.filter(isJsonObject) : [];
};

/** A line for each token that the settled orders of a row moved. */
const tokenTable = (rows: readonly JsonObject[]): readonly (readonly string[])[] => {
  // The chain of a row stands in its token lines too.
  const keys = KEYS.filter((key) => key !== 'chainId' && rows.some((row) => Object.hasOwn(row, key)));
  const lines = rows.flatMap((row) => {
    const own = new Map(jsonLeaves(row));
    return tokenLines(row).map((line) => {
      const its = new Map(jsonLeaves(line));
      return [...keys.map((key) => own.get(key) ?? ''), ...TOKEN.map((key) => its.get(key) ?? '')];
    });
  });
  return [[...keys, ...TOKEN], ...lines];
};

/** What a report says of itself: its filters, its zone and its position. */
const about = ({ rows: _rows, totals: _totals, ...head }: JsonObject): WriteSheet => ({
  name: 'about',
  columns: [{ width: 20 }, { width: 40 }],
  rows: jsonLeaves(head).map(([path, text]): CellValue[] => {
    const heading = path.startsWith('groupBy.') ? 'Grouped by' : sheetColumn(path).header;
    return [textCell(heading), textCell(text)];
  }),
});

/**
 * A report as a workbook for people: its rows, its totals, the tokens that were moved, and what it is of. It was changed
 * when the last of its events was recorded, not when it was written: the same report is the same bytes.
 */
export const reportXlsx = async (
  groupBy: readonly GroupKey[],
  report: JsonObject & {
    readonly asOf: { readonly at: string | null };
    readonly rows: readonly JsonObject[];
    readonly totals: readonly JsonObject[];
  },
): Promise<Buffer> => {
  const sheets = [
    sheet('report', reportTable(groupBy, withoutTokens(report.rows))),
    sheet('totals', reportTable([], withoutTokens(report.totals))),
    sheet('tokens', tokenTable(report.rows)),
    about(report),
  ];
  const properties = { modified: new Date(report.asOf.at ?? 0) };
  // Loaded with the first workbook.
  const { writeXlsx } = await import('hucre/xlsx');
  return Buffer.from(await writeXlsx({ sheets, properties, stringMode: 'inline' }));
};
