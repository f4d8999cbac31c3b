import type { OrderId } from '../domain/ids.ts';
import { Recent } from '../domain/recent.ts';
import { TextMemory } from '../domain/text-memory.ts';
import type { OrderHistory } from './order-history.ts';
import { packed, packedHead, unpacked } from './packed-history.ts';

/** With their ids: four events, or twice as many orders of one, take so much. */
const BYTES_OF_AN_ORDER = 512;

/**
 * Histories of the orders that were written last, each as of one exact revision. With one of them the next delivery of its
 * order is decided without reading the stream. If another writer has appended since, the history is out of date: the
 * append is then refused, and the stream is read.
 */
export class RecentOrders {
  /** As texts. */
  readonly #histories: TextMemory;
  /** Those that can't be packed or kept as texts: of unusual ids, or many events. All together have as many events at the most. */
  readonly #unusual: Recent<OrderId, OrderHistory>;

  /** @param most histories kept at the most; at least half as many of the last written are there, unless they are long */
  constructor(most: number) {
    this.#histories = new TextMemory(most, most * BYTES_OF_AN_ORDER);
    this.#unusual = new Recent(most, ({ events }) => events.length);
  }

  get(orderId: OrderId): OrderHistory | null {
    const unusual = this.#unusual.get(orderId);
    if (unusual !== undefined) return unusual;
    const text = this.#histories.get(orderId);
    return text === null ? null : unpacked(text);
  }

  put(orderId: OrderId, history: OrderHistory): void {
    // Answers may come in another order than the events: the newest is kept.
    if (this.#headOf(orderId) > history.head) return;
    // One that was unusual stays so: it is looked for there first.
    const text = this.#unusual.get(orderId) === undefined ? packed(history) : null;
    if (text === null || !this.#histories.put(orderId, text)) this.#unusual.put(orderId, history);
  }

  /** Lets go of all: the store was out of reach, and what it had may have been taken back meanwhile, by a backup that was put back. */
  readonly forget = (): void => {
    this.#histories.clear();
    this.#unusual.clear();
  };

  /** -1 where nothing is known. */
  #headOf(orderId: OrderId): number {
    const unusual = this.#unusual.get(orderId);
    if (unusual !== undefined) return unusual.head;
    const text = this.#histories.get(orderId);
    return text === null ? -1 : packedHead(text);
  }
}
