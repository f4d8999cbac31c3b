import { readLedgerEvent } from '../domain/ledger-event.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import { projectOrder, type Projected } from './projected-order.ts';
import { readingOnce } from './reading-once.ts';

/** Folds an order's events as of any of them, each time once for all who ask. */
export class StreamFold {
  readonly events: readonly RecordedEvent[];
  readonly #readEvent: typeof readLedgerEvent;
  readonly #folded = new Map<number, Projected>();

  /** @param readEvent in place of reading an event, where its payload was read before */
  constructor(events: readonly RecordedEvent[], readEvent: typeof readLedgerEvent = readLedgerEvent) {
    this.events = events;
    this.#readEvent = readingOnce(readEvent);
  }

  /** What the first so many events come to. */
  first(count: number): Projected {
    const known = this.#folded.get(count);
    if (known !== undefined) return known;
    const whole = count >= this.events.length;
    const folded = projectOrder(whole ? this.events : this.events.slice(0, count), this.#readEvent);
    this.#folded.set(count, folded);
    return folded;
  }

  /** Of some of the events; the same where those are the first ones. */
  of(events: readonly RecordedEvent[]): StreamFold {
    return events.length === this.events.length ? this : new StreamFold(events, this.#readEvent);
  }
}
