import { readLedgerEvent } from '../domain/ledger-event.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import { projectOrder, type Projected, type ReadEvent } from './projected-order.ts';

/** Folds an order's events as of any of them, each time once for all who ask, and reads each of them once. */
export class StreamFold {
  readonly events: readonly RecordedEvent[];
  readonly #readEvent: ReadEvent;
  /** By the places of their events: a map of events would give each of these a hash. */
  readonly #read: ReturnType<ReadEvent>[] = [];
  #whole: Projected | null = null;
  /** Most streams are folded whole, and no other way. */
  #parts: Map<number, Projected> | null = null;

  /** @param readEvent in place of reading an event, where its payload was read before */
  constructor(events: readonly RecordedEvent[], readEvent: ReadEvent = readLedgerEvent) {
    this.events = events;
    this.#readEvent = readEvent;
  }

  /** What the first so many events come to. */
  first(count: number): Projected {
    if (count >= this.events.length) {
      this.#whole ??= projectOrder(this.events, this.#readOnce);
      return this.#whole;
    }
    this.#parts ??= new Map();
    const known = this.#parts.get(count);
    if (known !== undefined) return known;
    const folded = projectOrder(this.events.slice(0, count), this.#readOnce);
    this.#parts.set(count, folded);
    return folded;
  }

  /** Of those of its events that are taken; the same where all are. */
  of(isTaken: (event: RecordedEvent) => boolean): StreamFold {
    if (this.events.every(isTaken)) return this;
    const places: number[] = [];
    for (const [place, event] of this.events.entries()) if (isTaken(event)) places.push(place);
    return new StreamFold(this.events.filter(isTaken), (event, place) => this.#readOnce(event, places[place] ?? place));
  }

  readonly #readOnce: ReadEvent = (event, place) => {
    const read = this.#read[place] ?? this.#readEvent(event, place);
    this.#read[place] = read;
    return read;
  };
}
