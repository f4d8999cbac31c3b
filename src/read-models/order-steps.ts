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
  let [step, count] = [0, 0];
  for (const { position } of fold.events) {
    const before = step;
    step = stepOf(position);
    count += 1;
    if (count === 1 || step === before) continue;
    const { order } = fold.first(count - 1);
    if (order === null) continue;
    const facet = facetOf(order.state);
    const [facetWas, was] = [facetKey(facet), contributionsOf(order.state, calendar, facet)];
    sums.of(before).add(facetWas, was);
    sums.of(step).remove(facetWas, was);
  }
  sums.of(step).add(key, cells);
};
