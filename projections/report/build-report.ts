import * as Ord from 'fp-ts/lib/Ord.js';
import * as RA from 'fp-ts/lib/ReadonlyArray.js';
import * as S from 'fp-ts/lib/string.js';
import { exactOrd, ZERO } from '../../src/domain/exact.ts';
import type { Flow } from '../../src/domain/flow.ts';
import { facetClasses, type FacetClass, type RowKey } from './facet-class.ts';
import { addTo, type Measures, type SumsBy } from './measures.ts';
import { reportSums } from './report-sums.ts';
import type { GroupKey, Report, ReportCell, ReportRow, ReportSums } from './report.ts';

const MONTH = '2026-01'.length;

const lower = Ord.min(S.Ord);

/** The sums of a row, by class: orders of one class differ in nothing but amounts. */
type RowSums = SumsBy<FacetClass>;

const rowOf = <K>(rows: Map<K, RowSums>, key: K): RowSums => {
  const known = rows.get(key);
  if (known !== undefined) return known;
  const row: RowSums = new Map<FacetClass, Measures>();
  rows.set(key, row);
  return row;
};

/** A row with its keys, not yet with the names that it shows them by. */
type KeyedRow = {
  readonly period: string;
  readonly key: RowKey;
  /** The symbol as it is shown; null where tokens are not told apart. */
  readonly token: string | null;
  readonly sums: ReportSums;
};

/** The lowest spelling of the symbols of a row's orders: the list of orders by a symbol has those of any letter case. */
const tokenOf = ({ lowerToken }: RowKey, row: RowSums): string | null => {
  if (lowerToken === null) return null;
  const symbols = [...row].flatMap(([{ facet }, { orders }]) => (orders === 0 ? [] : [facet.symbol]));
  return symbols.reduce(lower, symbols[0] ?? lowerToken);
};

const inOrder: (rows: readonly KeyedRow[]) => readonly KeyedRow[] = RA.sortBy([
  Ord.contramap(({ period }: KeyedRow) => period)(S.Ord),
  Ord.contramap(({ key }: KeyedRow) => key.currency)(S.Ord),
  Ord.contramap(({ token }: KeyedRow) => token ?? '')(S.Ord),
  Ord.contramap(({ key }: KeyedRow) => key.chain?.value ?? ZERO)(exactOrd),
]);

const byCurrency: (totals: readonly ReportSums[]) => readonly ReportSums[] = RA.sort(
  Ord.contramap(({ currency }: ReportSums) => currency)(S.Ord),
);

/**
 * Rows and totals of cells of one basis, in any order (docs/spec/http.md, A report). Cells of the other flow are left
 * out, and what cancels out leaves no row, line, status or spelling behind.
 */
export const buildReport = (flow: Flow, groupBy: readonly GroupKey[], cells: Iterable<ReportCell>): Report => {
  const [byDay, byMonth] = [groupBy.includes('day'), groupBy.includes('month')];
  const classOf = facetClasses(groupBy);
  const periods = new Map<string, Map<RowKey, RowSums>>();
  for (const { period, facet, measures } of cells) {
    if (facet.flow !== flow) continue;
    const key = byDay ? period : byMonth ? period.slice(0, MONTH) : '';
    const rows = periods.get(key) ?? new Map<RowKey, RowSums>();
    if (rows.size === 0) periods.set(key, rows);
    const of = classOf(facet);
    addTo(rowOf(rows, of.row), of, measures);
  }

  const totals = new Map<string, RowSums>();
  const keyedRows: KeyedRow[] = [];
  for (const [period, rows] of periods) {
    for (const [key, row] of rows) {
      const total = rowOf(totals, key.currency);
      for (const [of, measures] of row) addTo(total, of, measures);
      const sums = reportSums(flow, key.currency, row);
      if (sums !== null) keyedRows.push({ period, key, token: tokenOf(key, row), sums });
    }
  }

  const shown = ({ period, key: { chain }, token, sums }: KeyedRow): ReportRow => ({
    ...(byDay ? { day: period } : {}),
    ...(byMonth ? { month: period.slice(0, MONTH) } : {}),
    ...(token === null ? {} : { token }),
    ...(chain === null ? {} : { chainId: chain.id }),
    ...sums,
  });
  return {
    rows: inOrder(keyedRows).map(shown),
    totals: byCurrency([...totals].flatMap(([currency, row]) => reportSums(flow, currency, row) ?? [])),
  };
};
