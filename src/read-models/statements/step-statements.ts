import * as t from 'io-ts';
import { command, insertion, nullable, query } from '../../sql/statement.ts';

const key = { flow: t.string, basis: t.string, step: t.number, day: t.string, facet: t.number };
const measures = { orders: t.number, fiat: t.string, settled: nullable(t.string) };
const cellRow = t.type({ flow: t.string, basis: t.string, day: t.string, facet: t.number, ...measures });
const stepRow = t.type({ no: t.number, up_to: t.number, events: t.number });

const OF_KEY = 'flow = :flow AND basis = :basis AND step = :step AND day = :day AND facet = :facet';

/** The values of a sum of a step in the order of its columns. */
export type StepCellRow = readonly [
  flow: string,
  basis: string,
  step: number,
  day: string,
  facet: number,
  orders: number,
  fiat: string,
  settled: string | null,
];

/** Sums of steps of a bulk load that have none yet. */
export const stepCellRows = insertion<StepCellRow>('step_cells', [
  'flow',
  'basis',
  'step',
  'day',
  'facet',
  'orders',
  'fiat',
  'settled',
]);

/** Steps of the log, and what reports changed by in each. */
export const stepStatements = {
  last: query('SELECT no, up_to, events FROM steps ORDER BY no DESC LIMIT 1', {}, stepRow),
  all: query('SELECT no, up_to, events FROM steps ORDER BY no', {}, stepRow),
  one: query('SELECT no FROM steps WHERE no = :no', { no: t.number }, t.type({ no: t.number })),
  /** Adds events to a step, which is made where it is not there. */
  extend: command(
    `INSERT INTO steps (no, up_to, events) VALUES (:no, :up_to, :events)
       ON CONFLICT (no) DO UPDATE SET up_to = excluded.up_to, events = steps.events + excluded.events`,
    { no: t.number, up_to: t.number, events: t.number },
  ),
  remove: command('DELETE FROM steps WHERE no = :no', { no: t.number }),
  get: query(`SELECT orders, fiat, settled FROM step_cells WHERE ${OF_KEY}`, key, t.type(measures)),
  put: command(
    `INSERT INTO step_cells (flow, basis, step, day, facet, orders, fiat, settled)
       VALUES (:flow, :basis, :step, :day, :facet, :orders, :fiat, :settled)
       ON CONFLICT (flow, basis, step, day, facet) DO UPDATE
       SET orders = excluded.orders, fiat = excluded.fiat, settled = excluded.settled`,
    { ...key, ...measures },
  ),
  removeCell: command(`DELETE FROM step_cells WHERE ${OF_KEY}`, key),
  ofStep: query(
    'SELECT flow, basis, day, facet, orders, fiat, settled FROM step_cells WHERE step = :step',
    { step: t.number },
    cellRow,
  ),
  removeCells: command('DELETE FROM step_cells WHERE step = :step', { step: t.number }),
  cells: query(
    `SELECT day, facet, orders, fiat, settled FROM step_cells
       WHERE flow = :flow AND basis = :basis AND step >= :first AND step <= :last AND day >= :from AND day <= :to`,
    { flow: t.string, basis: t.string, first: t.number, last: t.number, from: t.string, to: t.string },
    t.type({ day: t.string, facet: t.number, ...measures }),
  ),
  /** The days that steps from one on have changed, each once for each step. */
  changedDays: query(
    'SELECT DISTINCT step, day FROM step_cells WHERE flow = :flow AND basis = :basis AND step >= :first',
    { flow: t.string, basis: t.string, first: t.number },
    t.type({ step: t.number, day: t.string }),
  ),
  allCells: query(
    'SELECT flow, basis, step, day, facet, orders, fiat, settled FROM step_cells',
    {},
    t.intersection([cellRow, t.type({ step: t.number })]),
  ),
};
