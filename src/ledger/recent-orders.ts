import type { OrderId } from '../domain/ids.ts';
import { Recent } from '../domain/recent.ts';
import type { OrderHistory } from './order-history.ts';

/**
 * Histories of the orders that were last written, true for one exact revision each, so that the next delivery of an order
 * needs no reading. An entry that another writer has overtaken does no harm: its append loses the race, and the stream is
 * read.
 */
export class RecentOrders {
  readonly #histories: Recent<OrderId, OrderHistory>;

  /** @param most histories kept at the most; at least half as many of the last written are there */
  constructor(most: number) {
    this.#histories = new Recent(most);
  }

  get(orderId: OrderId): OrderHistory | null {
    return this.#histories.get(orderId) ?? null;
  }

  put(orderId: OrderId, history: OrderHistory): void {
    const known = this.get(orderId);
    // Answers may come in another order than the events: the newest is kept.
    if (known !== null && known.head > history.head) return;
    this.#histories.put(orderId, history);
  }
}
