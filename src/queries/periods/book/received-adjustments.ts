import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { differences, type Closed, type Period } from '../../../../projections/periods/index.ts';
import type { ReportCell } from '../../../../projections/report/index.ts';
import { FLOWS } from '../../../domain/flow.ts';
import type { Month } from '../../../domain/month.ts';
import { comparePositions } from '../../../domain/position.ts';
import type { AsOf } from '../../../read-models/read-models.ts';
import { compareTexts } from '../../../read-models/text-order.ts';
import type { QueryFailure } from '../../failure/query-failure.ts';
import type { QueryDependencies } from '../../query-dependencies.ts';
import { bothTotals, ordersBehind, reportKey, type Adjustment } from '../adjustments.ts';
import { closedPosition } from '../closed-position.ts';
import { listedMonths } from '../months.ts';
import { periodCells } from '../period-cells.ts';
import { BASES, type PeriodFigures } from '../period-figures.ts';
import { closedFigures } from '../period-report.ts';
import { readPeriods } from '../read-period.ts';

type Deps = Pick<QueryDependencies, 'store' | 'readModels' | 'calendar' | 'now'>;

/** What changed in one report of an earlier month between two closes. */
export type ReceivedAdjustment = Adjustment & { readonly period: Month };

/** A close, and the moment that its figures are of. */
type Placed = { readonly closed: Closed; readonly asOf: AsOf };

const byPosition = (a: AsOf, b: AsOf): number =>
  comparePositions(a.checkpoint?.position ?? null, b.checkpoint?.position ?? null);

const placed = (store: Deps['store'], closed: Closed): TE.TaskEither<QueryFailure, Placed> =>
  TE.map((asOf: AsOf): Placed => ({ closed, asOf }))(closedPosition(store, closed.data));

/** Whether a close came before another one; of two at one moment, that of the earlier month did. */
const isBefore = (one: Placed, other: Placed): boolean => {
  const order = byPosition(one.asOf, other.asOf);
  return order < 0 || (order === 0 && one.closed.data.period < other.closed.data.period);
};

/** The closes of all months that came before another one. */
const closesBefore = (deps: Deps, last: Placed): TE.TaskEither<QueryFailure, readonly Placed[]> =>
  pipe(
    listedMonths(deps),
    TE.chain((months) => readPeriods(deps.store, months)),
    TE.chain((periods: readonly Period[]) =>
      TE.traverseSeqArray((closed: Closed) => placed(deps.store, closed))(
        periods.flatMap(({ closed }) => (closed === null ? [] : [closed])),
      ),
    ),
    TE.map((closes) => closes.filter((one) => isBefore(one, last))),
  );

/** Up to when a month stands in its own close, and in those of later months, which may have been closed in any order. */
const heldUpTo = ({ closed: { data }, asOf }: Placed, closes: readonly Placed[]): AsOf =>
  closes
    .filter(({ closed: other }) => other.data.period > data.period)
    .reduce((latest, other) => (byPosition(other.asOf, latest) > 0 ? other.asOf : latest), asOf);

/** The figures of a closed month as of a moment. */
const figuresAt = (
  { readModels }: Pick<Deps, 'readModels'>,
  { data: { period, from, until } }: Closed,
  asOf: AsOf,
): TE.TaskEither<QueryFailure, PeriodFigures> => {
  const cells = (flow: (typeof FLOWS)[number], basis: (typeof BASES)[number]) =>
    TE.map(({ cells: found }: { readonly cells: readonly ReportCell[] }) => found)(
      periodCells(readModels, { flow, basis, month: period, from, until, asOf }),
    );
  const ofFlow = (flow: (typeof FLOWS)[number]) =>
    pipe(
      TE.Do,
      TE.bind('created', () => cells(flow, 'created')),
      TE.bind('settled', () => cells(flow, 'settled')),
    );
  return pipe(
    TE.Do,
    TE.bind('onramp', () => ofFlow('onramp')),
    TE.bind('offramp', () => ofFlow('offramp')),
  );
};

type Changed = Omit<ReceivedAdjustment, 'orders'>;

const changesOf = (period: Month, before: PeriodFigures, after: PeriodFigures): readonly Changed[] =>
  FLOWS.flatMap((flow) =>
    BASES.flatMap((basis) =>
      bothTotals(flow, before[flow][basis], after[flow][basis]).map(({ currency, closed, now }) => ({
        period,
        flow,
        basis,
        currency,
        measures: differences(closed, now),
      })),
    ),
  ).filter(({ measures }) => measures.size > 0);

/** Each change with the orders behind it, by order id. */
const withOrders = (
  { readModels, calendar }: Pick<Deps, 'readModels' | 'calendar'>,
  changed: readonly Changed[],
  closed: Closed,
  [asOf, upTo]: readonly [AsOf, AsOf],
): TE.TaskEither<QueryFailure, readonly ReceivedAdjustment[]> => {
  const { from, until } = closed.data;
  return changed.length === 0
    ? TE.right([])
    : pipe(
        readModels.changes({ asOf, upTo, from, until }),
        TE.map((orders) => orders.toSorted((a, b) => compareTexts(a.orderId, b.orderId))),
        TE.chainTaskK((orders) => () => ordersBehind(orders, closed, calendar)),
        TE.map((behind) => changed.map((one) => ({ ...one, orders: behind.get(reportKey(one)) ?? [] }))),
      );
};

/**
 * What came for earlier closed months between the close before and this one: adjustments belong to the close that first
 * includes them. A month's own close and those of later months that follow it add up to its figures of now. `closed` of a
 * measure is as of the close before, `now` as of this one. None of it changes as long as no month is opened again.
 */
export const receivedAdjustments = (
  deps: Deps,
  closed: Closed,
): TE.TaskEither<QueryFailure, readonly ReceivedAdjustment[]> =>
  pipe(
    placed(deps.store, closed),
    TE.bindTo('last'),
    TE.bind('closes', ({ last }) => closesBefore(deps, last)),
    TE.chain(({ last, closes }) =>
      pipe(
        closes
          .filter(({ closed: { data } }) => data.period < closed.data.period)
          .map((month) => ({ ...month, before: heldUpTo(month, closes) }))
          .filter(({ before }) => byPosition(before, last.asOf) < 0),
        TE.traverseSeqArray(({ closed: month, asOf, before }) =>
          pipe(
            // What was closed last stands in its own close, exactly.
            byPosition(asOf, before) === 0 ? TE.fromEither(closedFigures(month)) : figuresAt(deps, month, before),
            TE.bindTo('were'),
            TE.bindW('are', () => figuresAt(deps, month, last.asOf)),
            TE.chainW(({ were, are }) =>
              withOrders(deps, changesOf(month.data.period, were, are), month, [before, last.asOf]),
            ),
          ),
        ),
        TE.map((found) => found.flat()),
      ),
    ),
  );
