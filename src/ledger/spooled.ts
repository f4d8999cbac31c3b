import type { OrderId } from '../domain/ids.ts';

/**
 * A delivery that is durable here and waits for the event store, and the order that it names (docs/spec/receiving.md,
 * Replies).
 */
export type Spooled = {
  readonly outcome: 'spooled';
  /** Null where the body names no order. */
  readonly orderId: OrderId | null;
};
