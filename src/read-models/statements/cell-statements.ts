import * as t from 'io-ts';
import { command, insertion, nullable, query } from '../../sql/statement.ts';

const key = { flow: t.string, basis: t.string, grain: t.string, period: t.string, facet: t.number };
const measures = { orders: t.number, fiat: t.string, settled: nullable(t.string) };

const OF_KEY = 'flow = :flow AND basis = :basis AND grain = :grain AND period = :period AND facet = :facet';

/** The values of a sum in the order of its columns. */
export type CellRow = readonly [
  flow: string,
  basis: string,
  grain: string,
  period: string,
  facet: number,
  orders: number,
  fiat: string,
  settled: string | null,
];

/** Sums of a bulk load, where there are none yet. */
export const cellRows = insertion<CellRow>('cells', [
  'flow',
  'basis',
  'grain',
  'period',
  'facet',
  'orders',
  'fiat',
  'settled',
]);

/** The sums that reports are made of. */
export const cellStatements = {
  get: query(`SELECT orders, fiat, settled FROM cells WHERE ${OF_KEY}`, key, t.type(measures)),
  put: command(
    `INSERT INTO cells (flow, basis, grain, period, facet, orders, fiat, settled)
       VALUES (:flow, :basis, :grain, :period, :facet, :orders, :fiat, :settled)
       ON CONFLICT (flow, basis, grain, period, facet) DO UPDATE
       SET orders = excluded.orders, fiat = excluded.fiat, settled = excluded.settled`,
    { ...key, ...measures },
  ),
  remove: command(`DELETE FROM cells WHERE ${OF_KEY}`, key),
  ofPeriods: query(
    `SELECT period, facet, orders, fiat, settled FROM cells
       WHERE flow = :flow AND basis = :basis AND grain = :grain AND period >= :first AND period <= :last
       ORDER BY period`,
    { flow: t.string, basis: t.string, grain: t.string, first: t.string, last: t.string },
    t.type({ period: t.string, facet: t.number, ...measures }),
  ),
  /** All cells of a day as one text, which costs a reader who knows it already next to nothing. */
  ofDays: query(
    `SELECT period, string_agg(facet || ' ' || orders || ' ' || fiat || ' ' || coalesce(settled, ''), ';') AS cells
       FROM cells
       WHERE flow = :flow AND basis = :basis AND grain = 'day' AND period >= :first AND period <= :last
       GROUP BY period ORDER BY period`,
    { flow: t.string, basis: t.string, first: t.string, last: t.string },
    t.type({ period: t.string, cells: t.string }),
  ),
  all: query(
    'SELECT flow, basis, grain, period, facet, orders, fiat, settled FROM cells',
    {},
    t.type({ ...key, ...measures }),
  ),
};
