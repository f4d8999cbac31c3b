import type { OrderId } from '../domain/ids.ts';
import { Recent } from '../domain/recent.ts';
import type { OrderHistory } from './order-history.ts';
import { packed, packedHead, unpacked } from './packed-history.ts';

/**
 * Histories of the orders that were written last, each as of one exact revision. With one of them the next delivery of its
 * order is decided without reading the stream. If another writer has appended since, the history is out of date: the
 * append is then refused, and the stream is read.
 */
export class RecentOrders {
  /** As texts; one that can't be packed is there as it is. */
  readonly #histories: Recent<OrderId, string | OrderHistory>;

  /** @param most histories kept at the most; at least half as many of the last written are there */
  constructor(most: number) {
    this.#histories = new Recent(most);
  }

  get(orderId: OrderId): OrderHistory | null {
    const known = this.#histories.get(orderId) ?? null;
    return typeof known === 'string' ? unpacked(known) : known;
  }

  put(orderId: OrderId, history: OrderHistory): void {
    // Answers may come in another order than the events: the newest is kept.
    if (this.#headOf(orderId) > history.head) return;
    this.#histories.put(orderId, packed(history) ?? history);
  }

  /** Lets go of all: the store was out of reach, and what it had may have been taken back meanwhile, by a backup that was put back. */
  readonly forget = (): void => this.#histories.clear();

  /** -1 where nothing is known. */
  #headOf(orderId: OrderId): number {
    const known = this.#histories.get(orderId);
    if (known === undefined) return -1;
    return typeof known === 'string' ? packedHead(known) : known.head;
  }
}
