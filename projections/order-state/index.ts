export { OVERDUE_AFTER_MS } from './clock-anomaly.ts';
export { foldOrder } from './fold-order.ts';
export { happenedAt } from './event-time.ts';
export { isClockDue, orderAt } from './order-at.ts';
export {
  CLOCK_ANOMALIES,
  LASTING_ANOMALIES,
  type Anomaly,
  type ClockAnomalyCode,
  type LastingAnomalyCode,
  type Order,
  type OrderState,
} from './order.ts';
