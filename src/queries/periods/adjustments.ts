import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { differences, type Closed, type Difference } from '../../../projections/periods/index.ts';
import type { OrderState } from '../../../projections/order-state/index.ts';
import type { Basis, ReportCell, ReportSums } from '../../../projections/report/index.ts';
import type { Calendar } from '../../domain/business-day.ts';
import { FLOWS, type Flow } from '../../domain/flow.ts';
import type { AsOf, ChangedOrder } from '../../read-models/read-models.ts';
import { contributionsOf, REPORTS } from '../../read-models/reports.ts';
import { compareTexts } from '../../read-models/text-order.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { closedPosition } from './closed-position.ts';
import { isWithin, momentOf, momentOfAnswers, periodCells } from './period-cells.ts';
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

/** Both totals of one currency; null: there is none. */
type Totals = { readonly currency: string; readonly closed: ReportSums | null; readonly now: ReportSums | null };

const totalsOf = (flow: Flow, cells: Iterable<ReportCell>): ReadonlyMap<string, ReportSums> =>
  new Map(REPORTS[flow].report([], cells).totals.map((sums) => [sums.currency, sums]));

const bothTotals = (flow: Flow, closed: Iterable<ReportCell>, now: Iterable<ReportCell>): readonly Totals[] => {
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
  { readModels }: Pick<Deps, 'readModels'>,
  { data }: Closed,
  figures: PeriodFigures,
  moment: { readonly asOf?: AsOf } = {},
): TE.TaskEither<QueryFailure, readonly Changed[]> =>
  pipe(
    FLOWS.flatMap((flow) => BASES.map((basis) => ({ flow, basis }))),
    TE.traverseArray(({ flow, basis }) =>
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

/** Whether a closed month would be reported otherwise now. */
export const isAdjusted = (deps: Pick<Deps, 'readModels'>, closed: Closed): TE.TaskEither<QueryFailure, boolean> =>
  pipe(
    TE.fromEither(closedFigures(closed)),
    TE.chainW((figures) => changedMeasures(deps, closed, figures)),
    TE.map((changed) => changed.length > 0),
  );

/** What an order adds to one report of a month; null: nothing. */
const sumsOf = (
  state: OrderState | null,
  { flow, basis, currency }: Changed,
  { data: { from, until } }: Closed,
  calendar: Calendar,
): ReportSums | null => {
  if (state?.flow !== flow || !isWithin(momentOf(state, basis), from, until)) return null;
  const cells = contributionsOf(state, calendar)
    .filter((cell) => cell.basis === basis)
    .map(({ day, facet, measures }) => ({ period: day, facet, measures }));
  return totalsOf(flow, cells).get(currency) ?? null;
};

const asShown = (state: OrderState | null, sums: ReportSums | null): OrderThen | null =>
  state === null || sums === null ? null : { phase: state.phase, fiat: state.fiat };

const ordersBehind = (
  changed: Changed,
  orders: readonly ChangedOrder[],
  closed: Closed,
  calendar: Calendar,
): Adjustment['orders'] =>
  orders.flatMap(({ orderId, eventIds, before, now }) => {
    const [was, is] = [sumsOf(before, changed, closed, calendar), sumsOf(now, changed, closed, calendar)];
    return differences(was, is).size === 0
      ? []
      : [{ orderId, eventIds, closed: asShown(before, was), now: asShown(now, is) }];
  });

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
    TE.map(({ changed, orders }) => {
      const sorted = orders.toSorted((a, b) => compareTexts(a.orderId, b.orderId));
      return changed.map((one) => ({ ...one, orders: ordersBehind(one, sorted, closed, deps.calendar) }));
    }),
  );
