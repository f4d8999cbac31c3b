import type { ConflictName, EventId, Position, Revision, Sha256 } from '../domain/ids.ts';

/** What an event of an order is found by: the id of its key's order event, or the name of other facts under that key. */
export type EventName = EventId | ConflictName;

/** A stored event: where it stands in its stream and in the log, and which body it holds. */
export type KnownEvent = {
  readonly eventId: EventId;
  /**
   * Its id; of a conflict the name of its facts, whichever delivery brought them. Of a conflict that is damaged, its id.
   */
  readonly name: EventName;
  readonly revision: Revision;
  readonly position: Position;
  /** Null where its metadata is damaged. */
  readonly bodySha256: Sha256 | null;
  /** Whether it is the order event of its key, and neither a conflict with one nor of the quarantine. */
  readonly isOrderEvent: boolean;
};

/** So few are looked through faster than they are found in an index. */
const LOOKED_THROUGH = 32;

/** Where the first event of a name stands, and the first order event of a body. */
type Index = { readonly names: Map<EventName, number>; readonly bodies: Map<Sha256, number> };

/** Events in their order, and from so many on where each of them stands. It only grows. */
class Growing {
  readonly events: KnownEvent[] = [];
  /** None where there are few: nearly all orders have, and each delivery makes one of these. */
  #index: Index | null = null;
  #indexed = 0;

  add(event: KnownEvent): void {
    this.events.push(event);
    if (this.events.length <= LOOKED_THROUGH) return;
    this.#index ??= { names: new Map(), bodies: new Map() };
    for (let at = this.#indexed; at < this.events.length; at += 1) this.#enter(this.#index, at);
    this.#indexed = this.events.length;
  }

  firstOfName(name: EventName): number | undefined {
    return this.#index?.names.get(name);
  }

  firstOfBody(body: Sha256): number | undefined {
    return this.#index?.bodies.get(body);
  }

  #enter({ names, bodies }: Index, at: number): void {
    const event = this.events[at];
    if (event === undefined) return;
    if (!names.has(event.name)) names.set(event.name, at);
    if (event.isOrderEvent && event.bodySha256 !== null && !bodies.has(event.bodySha256))
      bodies.set(event.bodySha256, at);
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

  /** The first of a name. */
  withName(name: EventName): KnownEvent | undefined {
    if (this.#isLookedThrough) return this.#find((event) => event.name === name);
    return this.#at(this.#all.firstOfName(name));
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

  [Symbol.iterator](): Iterator<KnownEvent> {
    return this.#all.events.slice(0, this.length).values();
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
