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
import type { MomentTooFar } from './read-models.ts';
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
type Failable<A> = Promise<E.Either<StoreUnavailable | MomentTooFar, A>>;

/** Streams that are read at a time: each is a question to a store that may be on another machine. */
const READS_AT_ONCE = 32;
/** Streams behind each other, after which others have their turn. */
const STREAMS_AT_A_STRETCH = 256;

/** A stream's events in a stretch. `isNew`: its first event is one of them, so that it was not there before. */
type TouchedStream = { readonly isNew: boolean; readonly events: TouchingEvent[] };

type Named = Map<StreamName, TouchedStream>;

/** The order streams that have events behind a position up to another; no more is read than `most` of them and one more. */
const touchedStreams = async (
  store: Store,
  after: Position | null,
  upTo: Position | null,
  most: number,
): Failable<Named> => {
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
    if (streams.size > most) break;
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

/** A question of a moment: from which state at hand, and how many orders it may keep. */
type Asked = {
  readonly base: PastState['base'];
  readonly at: Position | null;
  readonly now: Position | null;
  readonly most: number;
};

const tooMany = (most: number): E.Either<MomentTooFar, never> => E.left({ _tag: 'MomentTooFar', most });

/** What was found for a moment so far. */
type Found = { readonly state: PastState; readonly upTo: Position | null };

const numberOf = (position: Position | null): number => (position === null ? 0 : positionNumber(position));

/**
 * Moments whose orders are kept in memory: for the next page of a list of the same moment, and for both of those between
 * which orders have changed.
 */
const MOMENTS = 2;

/**
 * Orders that are kept in memory for a list of a moment at the most, at two to four kilobytes each, and of both moments
 * together. A moment that more orders lie before would take the memory of the machine, and end the ledger with it.
 */
const MOST_TOUCHED = 200_000;

/**
 * What was known at moments of the log. It costs as much as there are events between the moment and the nearest state
 * that is at hand, however long the log is (docs/decisions/0021-periods.md).
 */
export class PastStates {
  readonly #store: Store;
  /** What reports came to then, which needs no order to be kept. */
  readonly sums: PastSums;
  readonly #ways: WaysToMoments;
  readonly #most: number;
  /** The one that was asked for last is last. */
  readonly #found = new Map<string, Found>();

  /**
   * @param way other than the usual one
   * @param most orders that are kept of a moment that a list is asked of
   */
  constructor(store: Store, way = USUAL_WAY, most = MOST_TOUCHED) {
    this.#store = store;
    this.#most = most;
    this.#ways = new WaysToMoments(way.eventsOfAStep);
    this.sums = new PastSums(store, way, this.#ways);
  }

  /**
   * How what was known at a position differs from what is known at another, later one, or from nothing: the nearer of both.
   *
   * @param gone aborted when the asker no longer waits: what was not begun by then is not begun
   */
  at(at: Position | null, now: Position | null, gone?: AbortSignal): Failable<PastState> {
    const base = numberOf(at) < numberOf(now) - numberOf(at) ? 'nothing' : 'now';
    return this.#from({ base, at, now, most: this.#most }, gone);
  }

  /**
   * How what was known at a position differs from what is known at another, later one; `gone` as there. It is had however
   * many orders have events between: an adjustment names them all. Of those that were not there before nothing is kept but
   * their events.
   */
  since(at: Position | null, now: Position | null, gone?: AbortSignal): Failable<PastState> {
    return this.#from({ base: 'now', at, now, most: Number.POSITIVE_INFINITY }, gone);
  }

  async #from(asked: Asked, gone: AbortSignal | undefined): Failable<PastState> {
    const { base, at, now } = asked;
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
        const went = await (known === undefined ? this.#begun(asked) : this.#further(known, asked));
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
    let orders = 0;
    for (const { state } of this.#found.values()) orders += state.orders.size;
    for (const [oldest, { state }] of this.#found) {
      if (oldest === to || (this.#found.size <= MOMENTS && orders <= this.#most)) break;
      this.#found.delete(oldest);
      orders -= state.orders.size;
    }
  }

  async #begun({ base, at, now, most }: Asked): Failable<Found> {
    const [after, upTo] = base === 'nothing' ? [null, at] : [at, now];
    const orders = await this.#orders(after, upTo, at, most);
    return E.map((found: Found['state']['orders']): Found => ({ state: { base, orders: found }, upTo: now }))(orders);
  }

  /** What was before a moment never changes; what was touched since may be more by now. */
  async #further(found: Found, { at, now, most }: Asked): Failable<Found> {
    const { state, upTo } = found;
    if (state.base === 'nothing' || comparePositions(now, upTo) <= 0) return E.right(found);
    const since = await this.#orders(upTo, now, at, most);
    if (E.isLeft(since)) return since;
    const orders = new Map(state.orders);
    for (const [orderId, { before, events }] of since.right) {
      const known = orders.get(orderId);
      orders.set(orderId, known === undefined ? { before, events } : { before, events: [...known.events, ...events] });
    }
    return orders.size > most ? tooMany(most) : E.right({ state: { base: 'now', orders }, upTo: now });
  }

  async #orders(
    after: Position | null,
    upTo: Position | null,
    at: Position | null,
    most: number,
  ): Failable<ReadonlyMap<OrderId, TouchedOrder>> {
    const streams = await touchedStreams(this.#store, after, upTo, most);
    if (E.isLeft(streams)) return streams;
    if (streams.right.size > most) return tooMany(most);
    const folded = await foldedAt(this.#store, at, streams.right, after);
    return E.map((orders: [OrderId, TouchedOrder][]) => new Map(orders))(folded);
  }
}
