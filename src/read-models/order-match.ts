import { facetOf } from '../../projections/report/index.ts';
import type { Calendar } from '../domain/business-day.ts';
import { compareInstants, type Instant } from '../domain/instant.ts';
import { facetMatch, type OrderFilter } from './order-filter.ts';
import { isFoundBy } from './order-search.ts';
import type { ProjectedOrder } from './projected-order.ts';

/** Whether a list of this filter holds an order, looked at by itself, as of a moment. */
export const isListed = (order: ProjectedOrder, filter: OrderFilter, now: Instant, calendar: Calendar): boolean => {
  const { createdAt, settledAt, clockAnomaly } = order.state;
  const match = facetMatch(facetOf(order.state), filter);
  if (match === 'never') return false;
  if (match === 'when-due' && (clockAnomaly === null || compareInstants(now, clockAnomaly.after) <= 0)) return false;
  const moment = filter.basis === 'settled' ? settledAt : createdAt;
  if (moment === null) return false;
  if (filter.from !== null || filter.to !== null) {
    const day = calendar.dayOf(moment);
    if ((filter.from !== null && day < filter.from) || (filter.to !== null && day > filter.to)) return false;
  }
  return filter.q === null || isFoundBy(order, filter.q);
};
