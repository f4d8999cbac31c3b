import * as E from 'fp-ts/lib/Either.js';
import { atMost } from '../concurrency/at-most.ts';
import { wait } from '../concurrency/wait.ts';
import {
  isOrderStream,
  orderIdOfStream,
  type EventId,
  type OrderId,
  type Position,
  type StreamName,
} from '../domain/ids.ts';
import { comparePositions, positionNumber } from '../domain/position.ts';
import type { EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import { PastSums, USUAL_WAY } from './past-sums.ts';
import { projectOrder, type ProjectedOrder } from './projected-order.ts';
import { WaysToMoments } from './ways-to-moments.ts';

/** An order that events of a stretch of the log belong to. */
export type TouchedOrder = {
  /** As it was at the moment that is asked about; null where it was not there yet. */
  readonly before: ProjectedOrder | null;
  /** Its events in the stretch, in their order. There may be some behind `now`, which a later question has found. */
  readonly events: readonly TouchingEvent[];
};

/** What a moment's events are told by. */
type TouchingEvent = { readonly id: EventId; readonly position: Position };

/** How what was known at a moment differs from a state that is at hand: `now`, or `nothing`, that before the first event. */
export type PastState = {
  readonly base: 'now' | 'nothing';
  readonly orders: ReadonlyMap<OrderId, TouchedOrder>;
};

type Store = Pick<EventStore, 'readAll' | 'readStream'>;
type Failable<A> = Promise<E.Either<StoreUnavailable, A>>;

/** Streams that are read at a time: each is a question to a store that may be on another machine. */
const READS_AT_ONCE = 32;
/** Streams behind each other, after which others have their turn. */
const STREAMS_AT_A_STRETCH = 256;

/** A stream's events in a stretch. `isNew`: its first event is one of them, so that it was not there before. */
type TouchedStream = { readonly isNew: boolean; readonly events: TouchingEvent[] };

type Named = Map<StreamName, TouchedStream>;

/** The order streams that have events behind a position up to another. */
const touchedStreams = async (store: Store, after: Position | null, upTo: Position | null): Failable<Named> => {
  const streams: Named = new Map();
  if (upTo === null) return E.right(streams);
  for await (const event of store.readAll(after)) {
    if (E.isLeft(event)) return event;
    const { stream, id, position, revision } = event.right;
    if (comparePositions(position, upTo) > 0) break;
    if (!isOrderStream(stream)) continue;
    const known = streams.get(stream);
    if (known === undefined) streams.set(stream, { isNew: revision === 0, events: [{ id, position }] });
    else known.events.push({ id, position });
  }
  return E.right(streams);
};

/** Each order of some streams that are behind a position as it was at another one. */
const foldedAt = async (
  store: Store,
  at: Position | null,
  streams: Named,
  after: Position | null,
): Failable<[OrderId, TouchedOrder][]> => {
  const orders: [OrderId, TouchedOrder][] = [];
  const all = [...streams];
  const areBehind = comparePositions(after, at) >= 0;
  for (let from = 0; from < all.length; from += STREAMS_AT_A_STRETCH) {
    const stretch = all.slice(from, from + STREAMS_AT_A_STRETCH);
    const read = await atMost(READS_AT_ONCE, stretch, ([stream, { isNew }]: readonly [StreamName, TouchedStream]) =>
      isNew && areBehind ? Promise.resolve(E.right([])) : store.readStream(stream)(),
    );
    if (E.isLeft(read)) return read;
    for (const [i, [stream, { events }]] of stretch.entries()) {
      const orderId = orderIdOfStream(stream);
      const past = (read.right[i] ?? []).filter(({ position }) => comparePositions(position, at) <= 0);
      const before = past.length === 0 ? null : projectOrder(past).order;
      if (orderId !== null) orders.push([orderId, { before, events }]);
    }
    await wait(0);
  }
  return E.right(orders);
};

/** What was found for a moment so far. */
type Found = { readonly state: PastState; readonly upTo: Position | null };

const numberOf = (position: Position | null): number => (position === null ? 0 : positionNumber(position));

/**
 * Moments whose orders are kept in memory: for the next page of a list of the same moment, and for both of those between
 * which orders have changed.
 */
const MOMENTS = 2;

/**
 * What was known at moments of the log. It costs as much as there are events between the moment and the nearest state
 * that is at hand, however long the log is (docs/decisions/0021-periods.md).
 */
export class PastStates {
  readonly #store: Store;
  /** What reports came to then, which needs no order to be kept. */
  readonly sums: PastSums;
  readonly #ways: WaysToMoments;
  /** The one that was asked for last is last. */
  readonly #found = new Map<string, Found>();

  /** @param way other than the usual one */
  constructor(store: Store, way = USUAL_WAY) {
    this.#store = store;
    this.#ways = new WaysToMoments(way.eventsOfAStep);
    this.sums = new PastSums(store, way, this.#ways);
  }

  /**
   * How what was known at a position differs from what is known at another, later one, or from nothing: the nearer of both.
   *
   * @param gone aborted when the asker no longer waits: what was not begun by then is not begun
   */
  at(at: Position | null, now: Position | null, gone?: AbortSignal): Failable<PastState> {
    return this.#from(numberOf(at) < numberOf(now) - numberOf(at) ? 'nothing' : 'now', at, now, gone);
  }

  /** How what was known at a position differs from what is known at another, later one; `gone` as there. */
  since(at: Position | null, now: Position | null, gone?: AbortSignal): Failable<PastState> {
    return this.#from('now', at, now, gone);
  }

  async #from(
    base: PastState['base'],
    at: Position | null,
    now: Position | null,
    gone: AbortSignal | undefined,
  ): Failable<PastState> {
    const to = `${base} ${at ?? ''}`;
    const found = await this.#ways.go({
      to,
      length: () => {
        const known = this.#found.get(to);
        if (base === 'nothing') return known === undefined ? numberOf(at) : 0;
        return numberOf(now) - numberOf(known === undefined ? at : known.upTo);
      },
      go: async () => {
        const known = this.#found.get(to);
        const went = await (known === undefined ? this.#begun(base, at, now) : this.#further(known, at, now));
        if (E.isRight(went)) this.#keep(to, went.right);
        return went;
      },
      gone,
    });
    return E.map(({ state }: Found) => state)(found);
  }

  #keep(to: string, found: Found): void {
    this.#found.delete(to);
    this.#found.set(to, found);
    for (const oldest of this.#found.keys()) {
      if (this.#found.size <= MOMENTS) break;
      this.#found.delete(oldest);
    }
  }

  async #begun(base: PastState['base'], at: Position | null, now: Position | null): Failable<Found> {
    const [after, upTo] = base === 'nothing' ? [null, at] : [at, now];
    const orders = await this.#orders(after, upTo, at);
    return E.map((found: Found['state']['orders']): Found => ({ state: { base, orders: found }, upTo: now }))(orders);
  }

  /** What was before a moment never changes; what was touched since may be more by now. */
  async #further(found: Found, at: Position | null, now: Position | null): Failable<Found> {
    const { state, upTo } = found;
    if (state.base === 'nothing' || comparePositions(now, upTo) <= 0) return E.right(found);
    const since = await this.#orders(upTo, now, at);
    if (E.isLeft(since)) return since;
    const orders = new Map(state.orders);
    for (const [orderId, { before, events }] of since.right) {
      const known = orders.get(orderId);
      orders.set(orderId, known === undefined ? { before, events } : { before, events: [...known.events, ...events] });
    }
    return E.right({ state: { base: 'now', orders }, upTo: now });
  }

  async #orders(
    after: Position | null,
    upTo: Position | null,
    at: Position | null,
  ): Failable<ReadonlyMap<OrderId, TouchedOrder>> {
    const streams = await touchedStreams(this.#store, after, upTo);
    if (E.isLeft(streams)) return streams;
    const folded = await foldedAt(this.#store, at, streams.right, after);
    return E.map((orders: [OrderId, TouchedOrder][]) => new Map(orders))(folded);
  }
}
