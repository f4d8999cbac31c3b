import type { GroupKey } from '../../../projections/report/index.ts';
import type { JsonObject } from '../../domain/json.ts';
import { csvLines } from '../tables/csv.ts';
import { jsonLeaves } from '../tables/json-leaves.ts';

const KEYS: readonly (readonly [GroupKey, string])[] = [
  ['day', 'day'],
  ['month', 'month'],
  ['token', 'token'],
  ['chain', 'chainId'],
];

const FIAT = ['asked', 'settled', 'refunded', 'refunding', 'expired', 'deemed', 'failed', 'open'];

/** Those of every row, and the statuses and token lines of any: both differ from row to row. */
const columnsOf = (groupBy: readonly GroupKey[], paths: ReadonlySet<string>): readonly string[] => [
  ...KEYS.filter(([key]) => groupBy.includes(key)).map(([, column]) => column),
  'currency',
  'orders',
  ...[...paths].filter((path) => path.startsWith('byStatus.')).toSorted(),
  ...FIAT.map((part) => `fiat.${part}`),
  ...[...paths].filter((path) => path.startsWith('tokens.')),
  'commission',
  'tds',
  'anomalies',
];

/** The rows of a report as a table (docs/spec/http.md, A report): a header with the JSON paths, a line for each row. */
const reportTable = (groupBy: readonly GroupKey[], rows: readonly JsonObject[]): readonly (readonly string[])[] => {
  const lines = rows.map((row) => new Map(jsonLeaves(row)));
  const columns = columnsOf(groupBy, new Set(lines.flatMap((line) => [...line.keys()])));
  return [columns, ...lines.map((line) => columns.map((path) => line.get(path) ?? ''))];
};

/** That table as CSV. */
export const reportCsv = (groupBy: readonly GroupKey[], rows: readonly JsonObject[]): string =>
  csvLines(reportTable(groupBy, rows));
