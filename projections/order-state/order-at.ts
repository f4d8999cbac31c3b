import { compareInstants, type Instant } from '../../src/domain/instant.ts';
import { inOrder } from './anomaly.ts';
import type { Anomaly, Order, OrderState } from './order.ts';

/**
 * An order as of a moment: its state, and the anomalies that only the clock brings (docs/spec/domain.md, Anomalies).
 */
export const orderAt = ({ clockAnomaly, ...state }: OrderState, now: Instant): Order => {
  if (clockAnomaly === null || compareInstants(now, clockAnomaly.after) <= 0) return { ...state, overdue: false };
  const { code, eventIds } = clockAnomaly;
  const due: Anomaly = { code, field: '', values: [], eventIds };
  return { ...state, overdue: code === 'overdue', anomalies: inOrder<Anomaly>([...state.anomalies, due]) };
};
