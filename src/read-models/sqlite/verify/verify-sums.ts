import type Database from 'better-sqlite3';
import {
  addTo,
  facetKey,
  facetOf,
  measuresEq,
  measuresGroup,
  type Measures,
  type SumsBy,
} from '../../../../projections/report/index.ts';
import { businessCalendar, type Calendar } from '../../../domain/business-day.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { CellSums } from '../../cell-sums.ts';
import { OrderCounts, type CountedOrders, type OrderCount } from '../../order-counts.ts';
import { contributionsOf } from '../../reports.ts';
import { cellStatements } from '../../statements/cell-statements.ts';
import { generationStatements } from '../../statements/generation-statements.ts';
import { orderStatements } from '../../statements/order-statements.ts';
import { stepStatements } from '../../statements/step-statements.ts';
import { settledDayStatements } from '../../statements/settled-day-statements.ts';
import { readMeasures } from '../../stored-measures.ts';
import { readFacet } from '../../stored-facet.ts';
import { readState, rowStateText } from '../../stored-state.ts';
import type { ReadModelFailure } from '../../verification.ts';
import { FacetTable } from '../reports/facet-table.ts';
import { cellName, reportDiffers } from './report-difference.ts';

/** What counts and sums of a generation should be. */
type ExpectedSums = { readonly counts: CountedOrders; readonly sums: CellSums };

/** The measures of sums by their names; nothing is left in them. */
const cellsOf = (sums: CellSums): ReadonlyMap<string, Measures> => {
  const cells = new Map<string, Measures>();
  for (const { facetKey: key, basis, grain, period, measures } of sums.take())
    cells.set(cellName(readFacet(key)?.flow ?? '', basis, grain, period, key), measures);
  return cells;
};

/** What all rows of orders of one state of the database come to. */
const ofRows = (
  sql: SqliteStatements,
  calendar: Calendar,
): ExpectedSums & { readonly failures: readonly ReadModelFailure[] } => {
  const [counts, sums] = [new OrderCounts(), new CellSums()];
  const failures: ReadModelFailure[] = [];
  for (const row of sql.iterate(orderStatements.allStates, {})) {
    const state = readState(rowStateText(row));
    if (state === null) {
      failures.push(reportDiffers(`the row of order ${row.order_id} can't be read`));
      continue;
    }
    const key = facetKey(facetOf(state));
    const settledDay = state.settledAt === null ? null : calendar.dayOf(state.settledAt);
    counts.add({ facetKey: key, settledDay });
    sums.add(key, contributionsOf(state, calendar));
  }
  return { counts, sums, failures };
};

const wrongCounts = (
  what: string,
  stored: ReadonlyMap<string, string>,
  expected: ReadonlyMap<string, string>,
): readonly ReadModelFailure[] =>
  [...new Set([...stored.keys(), ...expected.keys()])]
    .filter((key) => stored.get(key) !== expected.get(key))
    .map((key) =>
      reportDiffers(`${what} ${key}: ${stored.get(key) ?? 'none'}, expected ${expected.get(key) ?? 'none'}`),
    );

const facetTexts = (counts: Iterable<readonly [string, OrderCount]>): ReadonlyMap<string, string> =>
  new Map(
    [...counts]
      .filter(([, { orders, settled }]) => orders !== 0 || settled !== 0)
      .map(([key, { orders, settled }]) => [key, `${orders} orders, ${settled} settled`]),
  );

const dayTexts = (days: Iterable<readonly [string, number]>): ReadonlyMap<string, string> =>
  new Map([...days].filter(([, orders]) => orders !== 0).map(([day, orders]) => [day, `${orders} orders`]));

const wrongCells = (
  sql: SqliteStatements,
  facets: FacetTable,
  expected: ReadonlyMap<string, Measures>,
): readonly ReadModelFailure[] => {
  const failures: ReadModelFailure[] = [];
  const seen = new Set<string>();
  for (const row of sql.iterate(cellStatements.all, {})) {
    const name = cellName(row.flow, row.basis, row.grain, row.period, facets.keyOf(row.facet) ?? '');
    seen.add(name);
    const isRight = measuresEq.equals(readMeasures(row), expected.get(name) ?? measuresGroup.empty);
    if (!isRight) failures.push(reportDiffers(`cell ${name}`));
  }
  for (const name of expected.keys()) if (!seen.has(name)) failures.push(reportDiffers(`cell ${name} is missing`));
  return failures;
};

/** Whether what reports changed by in all steps of the log is what the cells of days come to. */
const wrongSteps = (
  sql: SqliteStatements,
  facets: FacetTable,
  expected: ReadonlyMap<string, Measures>,
): readonly ReadModelFailure[] => {
  const sums: SumsBy<string> = new Map();
  for (const row of sql.iterate(stepStatements.allCells, {}))
    addTo(sums, cellName(row.flow, row.basis, 'day', row.day, facets.keyOf(row.facet) ?? ''), readMeasures(row));
  const days = [...expected].filter(([name]) => name.split(' ')[2] === 'day');
  return [...new Set([...sums.keys(), ...days.map(([name]) => name)])]
    .filter((name) => {
      const [sum, of] = [sums.get(name) ?? measuresGroup.empty, expected.get(name) ?? measuresGroup.empty];
      return !measuresEq.equals(sum, of);
    })
    .map((name) => reportDiffers(`steps of cell ${name}`));
};

/** Whether steps follow each other up to where the generation is, and hold as many events as it. */
const wrongEnds = (sql: SqliteStatements): readonly ReadModelFailure[] => {
  const steps = sql.all(stepStatements.all, {});
  const included = sql.get(generationStatements.included, {});
  const events = steps.reduce((sum, step) => sum + step.events, 0);
  const [due, last] = [Number(included?.position ?? 0), steps.at(-1)?.up_to ?? 0];
  const failures = steps.flatMap(({ no, up_to }, i) =>
    up_to > (steps[i - 1]?.up_to ?? -1) ? [] : [reportDiffers(`step ${String(no)} ends before it begins`)],
  );
  if (last !== due) failures.push(reportDiffers(`steps go to ${String(last)}, the rest to ${String(due)}`));
  if (events !== (included?.events ?? 0)) failures.push(reportDiffers(`steps hold ${String(events)} events`));
  return failures;
};

const wrongOrderCounts = (
  sql: SqliteStatements,
  facets: FacetTable,
  counts: CountedOrders,
): readonly ReadModelFailure[] => [
  ...wrongCounts('class', facetTexts(facets.counts()), facetTexts(counts.facets)),
  ...wrongCounts(
    'day of settlement',
    dayTexts(sql.all(settledDayStatements.all, {}).map(({ day, orders }) => [day, orders] as const)),
    dayTexts(counts.settledDays),
  ),
];

/**
 * Whether counts, sums and the ends of steps of a generation are what is expected of them. That what reports changed by in each
 * step is right is not looked at.
 */
export const areSums = (database: Database.Database, { counts, sums }: ExpectedSums): boolean => {
  const [facets, sql] = [new FacetTable(database), new SqliteStatements(database)];
  const failures = [
    ...wrongOrderCounts(sql, facets, counts),
    ...wrongCells(sql, facets, cellsOf(sums)),
    ...wrongEnds(sql),
  ];
  return failures.length === 0;
};

/** Compares every sum and count of a generation with its rows of orders, in one state of the database. */
export const verifySums = (database: Database.Database, timeZone: string): readonly ReadModelFailure[] =>
  database
    .transaction(() => {
      const facets = new FacetTable(database);
      const sql = new SqliteStatements(database);
      const { counts, sums, failures } = ofRows(sql, businessCalendar(timeZone));
      const cells = cellsOf(sums);
      return [
        ...failures,
        ...wrongOrderCounts(sql, facets, counts),
        ...wrongCells(sql, facets, cells),
        ...wrongSteps(sql, facets, cells),
        ...wrongEnds(sql),
      ];
    })
    .deferred();
