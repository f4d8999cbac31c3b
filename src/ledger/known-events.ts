import type { EventId, Position, Revision, Sha256 } from '../domain/ids.ts';

/** A stored event: where it stands in its stream and in the log, and which body it holds. */
export type KnownEvent = {
  readonly eventId: EventId;
  readonly revision: Revision;
  readonly position: Position;
  /** Null where its metadata is damaged. */
  readonly bodySha256: Sha256 | null;
  /** Whether it is the order event of its key, and neither a conflict with one nor of the quarantine. */
  readonly isOrderEvent: boolean;
};

/** So few are looked through faster than they are found in an index. */
const LOOKED_THROUGH = 32;

/** Events in their order, and from so many on where each of them stands. It only grows. */
class Growing {
  readonly events: KnownEvent[] = [];
  readonly #ids = new Map<EventId, number>();
  readonly #bodies = new Map<Sha256, number>();

  add(event: KnownEvent): void {
    this.events.push(event);
    if (this.events.length <= LOOKED_THROUGH) return;
    for (let at = this.#ids.size === 0 ? 0 : this.events.length - 1; at < this.events.length; at += 1) this.#index(at);
  }

  firstOfId(id: EventId): number | undefined {
    return this.#ids.get(id);
  }

  firstOfBody(body: Sha256): number | undefined {
    return this.#bodies.get(body);
  }

  #index(at: number): void {
    const event = this.events[at];
    if (event === undefined) return;
    if (!this.#ids.has(event.eventId)) this.#ids.set(event.eventId, at);
    if (!event.isOrderEvent || event.bodySha256 === null || this.#bodies.has(event.bodySha256)) return;
    this.#bodies.set(event.bodySha256, at);
  }
}

/**
 * Events of an order up to one revision, oldest first. Finding one and adding one take as long however many there are: an
 * order with thousands of events holds nobody up. What was added to shares its events with what came of it.
 */
export class KnownEvents implements Iterable<KnownEvent> {
  /** Those behind `length` are of later revisions. */
  readonly #all: Growing;
  readonly length: number;

  private constructor(all: Growing) {
    this.#all = all;
    this.length = all.events.length;
  }

  static of(events: Iterable<KnownEvent>): KnownEvents {
    const all = new Growing();
    for (const event of events) all.add(event);
    return new KnownEvents(all);
  }

  /** The first of an id. */
  withId(id: EventId): KnownEvent | undefined {
    if (this.#isLookedThrough) return this.#find(({ eventId }) => eventId === id);
    return this.#at(this.#all.firstOfId(id));
  }

  /** The first order event that holds a body. */
  ofBody(body: Sha256): KnownEvent | undefined {
    if (this.#isLookedThrough) return this.#find((event) => event.isOrderEvent && event.bodySha256 === body);
    return this.#at(this.#all.firstOfBody(body));
  }

  /** These and one more, in place of what else may have been added to them meanwhile. */
  with(event: KnownEvent): KnownEvents {
    if (this.length < this.#all.events.length) return KnownEvents.of([...this, event]);
    this.#all.add(event);
    return new KnownEvents(this.#all);
  }

  *[Symbol.iterator](): Iterator<KnownEvent> {
    for (let at = 0; at < this.length; at += 1) {
      const event = this.#at(at);
      if (event !== undefined) yield event;
    }
  }

  get #isLookedThrough(): boolean {
    return this.#all.events.length <= LOOKED_THROUGH;
  }

  #find(is: (event: KnownEvent) => boolean): KnownEvent | undefined {
    const { events } = this.#all;
    for (let at = 0; at < this.length; at += 1) {
      const event = events[at];
      if (event !== undefined && is(event)) return event;
    }
    return undefined;
  }

  #at(at: number | undefined): KnownEvent | undefined {
    return at === undefined || at >= this.length ? undefined : this.#all.events[at];
  }
}
