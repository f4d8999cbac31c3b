import type { OrderId } from '../domain/ids.ts';
import { Recent } from '../domain/recent.ts';
import type { OrderHistory } from './order-history.ts';

/**
 * Histories of the orders that were written last, each as of one exact revision. With one of them the next delivery of its
 * order is decided without reading the stream. If another writer has appended since, the history is out of date: the
 * append is then refused, and the stream is read.
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
