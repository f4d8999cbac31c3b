import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { differences, type Closed, type Difference } from '../../../projections/periods/index.ts';
import type { OrderState } from '../../../projections/order-state/index.ts';
import type { Basis, ReportCell, ReportSums } from '../../../projections/report/index.ts';
import { wait } from '../../concurrency/wait.ts';
import type { Calendar } from '../../domain/business-day.ts';
import { FLOWS, type Flow } from '../../domain/flow.ts';
import type { AsOf, ChangedOrder, ReadModels } from '../../read-models/read-models.ts';
import { contributionsOf, REPORTS } from '../../read-models/reports.ts';
import { compareTexts } from '../../read-models/text-order.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { closedPosition } from './closed-position.ts';
import { isWithin } from './month-stretches.ts';
import type { KeptMonth, MonthReckoning } from './month-reckoning.ts';
import { momentOf, momentOfAnswers, periodCells } from './period-cells.ts';
import { BASES, type PeriodFigures } from './period-figures.ts';
import { closedFigures } from './period-report.ts';

/** What an order was in a month, or is in it. */
export type OrderThen = Pick<OrderState, 'phase' | 'fiat'>;

/** What has changed in one report of a closed month since. */
export type Adjustment = {
  readonly flow: Flow;
  readonly basis: Basis;
  readonly currency: string;
  readonly measures: ReadonlyMap<string, Difference>;
  /** By order id. Null: the order was, or is, not in this month's report of this currency. */
  readonly orders: readonly (Pick<ChangedOrder, 'orderId' | 'eventIds'> & {
    readonly closed: OrderThen | null;
    readonly now: OrderThen | null;
  })[];
};

type Deps = Pick<QueryDependencies, 'store' | 'readModels' | 'calendar'>;

/** What reports are made of. */
type Models = Pick<ReadModels, 'cells' | 'orders'>;

/** Orders that are looked at behind each other, some tenths of a millisecond each. */
const ORDERS_AT_A_STRETCH = 50;

/** Both totals of one currency; null: there is none. */
type Totals = { readonly currency: string; readonly closed: ReportSums | null; readonly now: ReportSums | null };

const totalsOf = (flow: Flow, cells: Iterable<ReportCell>): ReadonlyMap<string, ReportSums> =>
  new Map(REPORTS[flow].report([], cells).totals.map((sums) => [sums.currency, sums]));

/** The totals of a report as it was and as it is, by currency. */
export const bothTotals = (flow: Flow, closed: Iterable<ReportCell>, now: Iterable<ReportCell>): readonly Totals[] => {
  const [were, are] = [totalsOf(flow, closed), totalsOf(flow, now)];
  return [...new Set([...were.keys(), ...are.keys()])]
    .toSorted()
    .map((currency) => ({ currency, closed: were.get(currency) ?? null, now: are.get(currency) ?? null }));
};

type Changed = Omit<Adjustment, 'orders'>;

/**
 * What has changed in the four reports of a month, without the orders behind it.
 *
 * @param moment the one that they are compared with; absent: now
 */
const changedMeasures = (
  { readModels }: { readonly readModels: Models },
  { data }: KeptMonth,
  figures: PeriodFigures,
  moment: { readonly asOf?: AsOf } = {},
): TE.TaskEither<QueryFailure, readonly Changed[]> =>
  pipe(
    FLOWS.flatMap((flow) => BASES.map((basis) => ({ flow, basis }))),
    // One after the other: four answers that come together would be added up in one turn of the loop.
    TE.traverseSeqArray(({ flow, basis }) =>
      pipe(
        periodCells(readModels, { flow, basis, month: data.period, from: data.from, until: data.until, ...moment }),
        TE.map(({ cells }) =>
          bothTotals(flow, figures[flow][basis], cells).map(({ currency, closed, now }): Changed => ({
            flow,
            basis,
            currency,
            measures: differences(closed, now),
          })),
        ),
      ),
    ),
    TE.map((found) => found.flat().filter(({ measures }) => measures.size > 0)),
  );

/** Whether a closed month would be reported otherwise now, by read models. */
export const isAdjusted =
  (readModels: Models): MonthReckoning['isAdjusted'] =>
  (closed) =>
    pipe(
      TE.fromEither(closedFigures(closed)),
      TE.chainW((figures) => changedMeasures({ readModels }, closed, figures)),
      TE.map((changed) => changed.length > 0),
    );

type AdjustedOrder = Adjustment['orders'][number];

/** What an order adds to a report of a month; null: nothing. */
const sumsOf = (
  state: OrderState | null,
  basis: Basis,
  { data: { from, until } }: Closed,
  calendar: Calendar,
): ReportSums | null => {
  if (state === null || !isWithin(momentOf(state, basis), from, until)) return null;
  const cells = contributionsOf(state, calendar)
    .filter((cell) => cell.basis === basis)
    .map(({ day, facet, measures }) => ({ period: day, facet, measures }));
  return totalsOf(state.flow, cells).get(state.fiat.currency) ?? null;
};

/** Names one report of a month. */
export const reportKey = ({ flow, basis, currency }: Pick<Adjustment, 'flow' | 'basis' | 'currency'>): string =>
  JSON.stringify([flow, basis, currency]);

const shown = (state: OrderState | null, sums: ReportSums | null | undefined): OrderThen | null =>
  state === null || sums === null || sums === undefined ? null : { phase: state.phase, fiat: state.fiat };

/** The reports in which an order is another than it was, by their key. */
const changedIn = (
  { orderId, eventIds, before, now }: ChangedOrder,
  closed: Closed,
  calendar: Calendar,
): readonly (readonly [string, AdjustedOrder])[] =>
  BASES.flatMap((basis) => {
    const [was, is] = [sumsOf(before, basis, closed, calendar), sumsOf(now, basis, closed, calendar)];
    const reports = new Set([before, now].flatMap((state) => (state === null ? [] : [state.fiat.currency])));
    return [...reports].flatMap((currency): readonly (readonly [string, AdjustedOrder])[] => {
      const [there, here] = [was, is].map((sums) => (sums?.currency === currency ? sums : null));
      if (differences(there ?? null, here ?? null).size === 0) return [];
      const flow = now?.flow ?? before?.flow ?? 'onramp';
      return [
        [
          reportKey({ flow, basis, currency }),
          { orderId, eventIds, closed: shown(before, there), now: shown(now, here) },
        ],
      ];
    });
  });

/** The orders behind each changed report, by its key. Deliveries have their turn in between: there may be thousands. */
export const ordersBehind = async (
  orders: readonly ChangedOrder[],
  closed: Closed,
  calendar: Calendar,
): Promise<ReadonlyMap<string, readonly AdjustedOrder[]>> => {
  const behind = new Map<string, AdjustedOrder[]>();
  for (const [i, order] of orders.entries()) {
    if (i % ORDERS_AT_A_STRETCH === ORDERS_AT_A_STRETCH - 1) await wait(0);
    for (const [key, adjusted] of changedIn(order, closed, calendar)) {
      const known = behind.get(key);
      if (known === undefined) behind.set(key, [adjusted]);
      else known.push(adjusted);
    }
  }
  return behind;
};

/**
 * What is known now of a closed month against what was closed, down to the orders and the events that changed them. All
 * of it is of one moment, so that the orders come to the measures whatever arrives meanwhile.
 */
export const adjustments = (deps: Deps, closed: Closed): TE.TaskEither<QueryFailure, readonly Adjustment[]> =>
  pipe(
    TE.fromEither(closedFigures(closed)),
    TE.bindTo('figures'),
    TE.bindW('upTo', () => momentOfAnswers(deps.readModels, closed.data.period)),
    TE.bindW('changed', ({ figures, upTo }) => changedMeasures(deps, closed, figures, { asOf: upTo })),
    TE.bindW('asOf', () => closedPosition(deps.store, closed.data)),
    TE.bindW('orders', ({ changed, asOf, upTo }): TE.TaskEither<QueryFailure, readonly ChangedOrder[]> => {
      const { from, until } = closed.data;
      return changed.length === 0 ? TE.right([]) : deps.readModels.changes({ asOf, upTo, from, until });
    }),
    TE.chainTaskK(({ changed, orders }) => async () => {
      const sorted = orders.toSorted((a, b) => compareTexts(a.orderId, b.orderId));
      const behind = await ordersBehind(sorted, closed, deps.calendar);
      return changed.map((one) => ({ ...one, orders: behind.get(reportKey(one)) ?? [] }));
    }),
  );
