import type { OrderId } from '../domain/ids.ts';
import type { OrderHistory } from './order-history.ts';

/**
 * Histories of the orders that were last written, true for one exact revision each, so that the next delivery of an order
 * needs no reading. An entry that another writer has overtaken does no harm: its append loses the race, and the stream is
 * read. Bounded in two generations: when the young one is full it becomes the old one, and the old one goes as a whole,
 * which costs nothing for each order that goes.
 */
export class RecentOrders {
  readonly #mostOfEach: number;
  #young = new Map<OrderId, OrderHistory>();
  #old = new Map<OrderId, OrderHistory>();

  /** @param most histories kept at the most; at least half as many of the last written are there */
  constructor(most: number) {
    this.#mostOfEach = Math.ceil(most / 2);
  }

  get(orderId: OrderId): OrderHistory | null {
    return this.#young.get(orderId) ?? this.#old.get(orderId) ?? null;
  }

  put(orderId: OrderId, history: OrderHistory): void {
    const known = this.get(orderId);
    // Answers may come in another order than the events: the newest is kept.
    if (known !== null && known.head > history.head) return;
    this.#young.set(orderId, history);
    if (this.#young.size < this.#mostOfEach) return;
    this.#old = this.#young;
    this.#young = new Map();
  }
}
