import { facetKey, facetOf } from '../../projections/report/index.ts';
import type { Calendar } from '../domain/business-day.ts';
import type { Position } from '../domain/ids.ts';
import type { OrderShare } from './order-row.ts';
import { contributionsOf } from './reports.ts';
import type { StepSums } from './step-sums.ts';
import type { StreamFold } from './stream-fold.ts';

/** How the steps of orders are found. */
export type StepsOfOrders = {
  /** The number of the step that a position lies in. */
  readonly stepOf: (position: Position) => number;
  readonly calendar: Calendar;
};

/**
 * Puts in what an order adds to reports in the step of its last event, and what it added at the end of each of its steps
 * before, which the next one takes out.
 *
 * @param added what all of its events come to
 */
export const addOrderSteps = (
  sums: StepSums,
  { facetKey: key, cells }: Pick<OrderShare, 'facetKey' | 'cells'>,
  fold: StreamFold,
  { stepOf, calendar }: StepsOfOrders,
): void => {
  let step = 0;
  for (const [i, { position }] of fold.events.entries()) {
    const before = step;
    step = stepOf(position);
    if (i === 0 || step === before) continue;
    const { order } = fold.first(i);
    if (order === null) continue;
    const [facet, was] = [facetKey(facetOf(order.state)), contributionsOf(order.state, calendar)];
    sums.of(before).add(facet, was);
    sums.of(step).remove(facet, was);
  }
  sums.of(step).add(key, cells);
};
