import { compareInstants, type Instant } from '../../src/domain/instant.ts';
import { inOrder } from './anomaly.ts';
import type { Anomaly, Order, OrderState } from './order.ts';

/** Whether the clock has brought an order its anomaly by a moment. */
export const isClockDue = ({ clockAnomaly }: Pick<OrderState, 'clockAnomaly'>, now: Instant): boolean =>
  clockAnomaly !== null && compareInstants(now, clockAnomaly.after) > 0;

/**
 * An order as of a moment: its state, and the anomalies that only the clock brings (docs/spec/domain.md, Anomalies).
 */
export const orderAt = ({ clockAnomaly, ...state }: OrderState, now: Instant): Order => {
  if (clockAnomaly === null || !isClockDue({ clockAnomaly }, now)) return { ...state, overdue: false };
  const { code, eventIds } = clockAnomaly;
  const due: Anomaly = { code, field: '', values: [], eventIds };
  return { ...state, overdue: code === 'overdue', anomalies: inOrder<Anomaly>([...state.anomalies, due]) };
};
