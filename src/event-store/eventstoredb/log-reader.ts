import { BACKWARDS, END, FORWARDS, START, streamNameFilter } from '@eventstore/db-client';
import type { AllStreamResolvedEvent, AllStreamSubscription, Position as WirePosition } from '@eventstore/db-client';
import * as E from 'fp-ts/lib/Either.js';
import type { Position, StreamName } from '../../domain/ids.ts';
import { comparePositions, PositionText } from '../../domain/position.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { StoreUnavailable } from '../event-store.ts';
import type { Connection } from './connection.ts';
import { batchesOf, type ReadOptions, type Source } from './reading.ts';
import { asUnavailable, unavailable, type StoreFailure } from './store-failure.ts';
import type { StreamNames } from './stream-names.ts';
import { fromWire, positionOf } from './wire-event.ts';

/** Events that wait for a slow consumer, in the client; what is behind them waits on the server. */
const BUFFERED = 512;
/** Checkpoints come each time that so many times 32 records were looked at. */
const CHECKPOINT_INTERVAL = 64;

/** Events that are looked at from the end of the log for the newest of the ledger's. */
const FROM_THE_END = 50_000;

type Batch = E.Either<StoreUnavailable, readonly RecordedEvent[]>;

const wirePosition = (position: Position): WirePosition => ({ commit: BigInt(position), prepare: BigInt(position) });

/** The stream of an event of the ledger's; null for one of others, and for what the server itself put into one: a tombstone. */
const ownStream = (names: StreamNames, event: AllStreamResolvedEvent['event']): StreamName | null =>
  event === undefined || event.type.startsWith('$') ? null : names.own(event.streamId);

/** The ledger's own events among what was read, with their names. */
const ownEvents = (names: StreamNames, read: E.Either<StoreFailure, readonly AllStreamResolvedEvent[]>): Batch => {
  if (E.isLeft(read)) return E.left(asUnavailable(read.left));
  const events: RecordedEvent[] = [];
  for (const { event } of read.right) {
    const stream = ownStream(names, event);
    if (event === undefined || stream === null) continue;
    const recorded = fromWire(event, stream);
    if (E.isLeft(recorded)) return E.left(unavailable(recorded.left));
    events.push(recorded.right);
  }
  return E.right(events);
};

/** Reads again where a node says that another one leads: the client goes there with its next call (facts, Seen). */
async function* whereverLed<A>(
  open: () => Source<A>,
  options: ReadOptions,
): AsyncGenerator<E.Either<StoreFailure, readonly A[]>, void, undefined> {
  for (const isLast of [false, true]) {
    let isElsewhere = false;
    for await (const batch of batchesOf(open, options)) {
      isElsewhere = !isLast && E.isLeft(batch) && batch.left._tag === 'NotLeader';
      if (!isElsewhere) yield batch;
    }
    if (!isElsewhere) return;
    // It leaves the node a moment after it has told the error.
    await new Promise(setImmediate);
  }
}

const cancellable = (subscription: AllStreamSubscription) =>
  Object.assign(subscription, { cancel: () => subscription.unsubscribe() });

type FollowOptions = {
  readonly of?: string;
  readonly onStands?: () => void;
  readonly onLevel?: () => void;
  readonly upTo?: Position | null;
};

/** An event of the log, by what `OwnHead` asks of it. */
export type LogEntry = {
  readonly id: string;
  /** Whether it is the ledger's. */
  readonly isOwn: boolean;
  /** Null where it has none that can be told as one number; then why. */
  readonly position: Position | null;
  readonly problem: string;
};

const UNCONFIRMED = new Error('a subscription was not confirmed in time');

const NEVER = new AbortController().signal;

/** Reads the ledger's events out of a server's log. */
export class LogReader {
  readonly #connection: Connection;
  readonly #names: StreamNames;
  readonly #quietMs: number;

  /** @param quietMs a read without a word for so long is given up, and so is a subscription that is not confirmed by then */
  constructor(connection: Connection, names: StreamNames, quietMs: number) {
    this.#connection = connection;
    this.#names = names;
    this.#quietMs = quietMs;
  }

  /** All of a stream, from the leader: a follower may be behind one's own writes. Nothing for one that is not there, or was deleted. */
  async stream(stream: StreamName, fromRevision = 0n): Promise<Batch> {
    const read = () =>
      this.#connection.client().readStream(this.#names.there(stream), {
        fromRevision,
        requiresLeader: true,
      });
    const events: RecordedEvent[] = [];
    for await (const batch of whereverLed(read, { quietMs: this.#quietMs, isClosed: this.#connection.isClosed })) {
      if (E.isLeft(batch)) {
        const isNone = batch.left._tag === 'StreamNotFound' || batch.left._tag === 'StreamDeleted';
        return isNone ? E.right([]) : E.left(asUnavailable(batch.left));
      }
      for (const { event } of batch.right) {
        if (event === undefined) continue;
        const recorded = fromWire(event, stream);
        if (E.isLeft(recorded)) return E.left(unavailable(recorded.left));
        events.push(recorded.right);
      }
    }
    return E.right(events);
  }

  /** The event at a position, as a list of one or none. */
  async at(position: Position): Promise<Batch> {
    const read = () =>
      this.#connection.client().readAll({
        fromPosition: wirePosition(position),
        direction: FORWARDS,
        maxCount: 1,
        requiresLeader: true,
      });
    for await (const batch of whereverLed(read, { quietMs: this.#quietMs, isClosed: this.#connection.isClosed })) {
      // One beyond the end gives nothing. Any other failure is none of the position's: a page would lack an event.
      if (E.isLeft(batch) && batch.left._tag === 'NoSuchPosition') return E.right([]);
      return E.map((events: readonly RecordedEvent[]) => events.filter((event) => event.position === position))(
        ownEvents(this.#names, batch),
      );
    }
    return E.right([]);
  }

  /** The id of the event at a position, whoever wrote it; null where there is none. */
  async idAt(position: Position): Promise<E.Either<StoreUnavailable, string | null>> {
    const read = () =>
      this.#connection.client().readAll({
        fromPosition: wirePosition(position),
        direction: FORWARDS,
        maxCount: 1,
        requiresLeader: true,
      });
    for await (const batch of whereverLed(read, { quietMs: this.#quietMs, isClosed: this.#connection.isClosed })) {
      if (E.isLeft(batch)) {
        return batch.left._tag === 'NoSuchPosition' ? E.right(null) : E.left(asUnavailable(batch.left));
      }
      const event = batch.right[0]?.event;
      return E.right(event !== undefined && event.position.commit === BigInt(position) ? event.id : null);
    }
    return E.right(null);
  }

  /** What stands last in the log, whoever wrote it, newest first, at most so many. */
  async *backwards(most: number): AsyncGenerator<E.Either<StoreUnavailable, readonly LogEntry[]>, void, undefined> {
    const read = () =>
      this.#connection
        .client()
        .readAll({ fromPosition: END, direction: BACKWARDS, maxCount: most, requiresLeader: true });
    for await (const batch of whereverLed(read, { quietMs: this.#quietMs, isClosed: this.#connection.isClosed })) {
      if (E.isLeft(batch)) {
        yield E.left(asUnavailable(batch.left));
        return;
      }
      yield E.right(
        batch.right
          .map(({ event }) => event)
          .filter((event) => event !== undefined)
          .map(this.#entryOf),
      );
    }
  }

  readonly #entryOf = (event: NonNullable<AllStreamResolvedEvent['event']>): LogEntry => {
    const stream = ownStream(this.#names, event);
    const position = positionOf(event);
    return {
      id: event.id,
      isOwn: stream !== null,
      position: E.isRight(position) ? position.right : null,
      problem: E.isLeft(position)
        ? unavailable(`event ${event.revision} of stream ${stream ?? event.streamId} ${position.left}`).detail
        : '',
    };
  };

  /** The last events of the ledger, newest first, at most so many; of a log that others write to, those at its very end. */
  async newest(most: number): Promise<Batch> {
    const read = () =>
      this.#connection
        .client()
        .readAll({ fromPosition: END, direction: BACKWARDS, maxCount: FROM_THE_END, requiresLeader: true });
    const events: RecordedEvent[] = [];
    for await (const batch of whereverLed(read, { quietMs: this.#quietMs, isClosed: this.#connection.isClosed })) {
      const own = ownEvents(this.#names, batch);
      if (E.isLeft(own)) return own;
      events.push(...own.right.slice(0, most - events.length));
      if (events.length >= most) break;
    }
    return E.right(events);
  }

  /**
   * The ledger's events behind a position, and then those that are appended, in batches that are never empty. The server
   * filters by the names of streams. Its end without an error is a Left too: a subscription never ends by itself.
   *
   * @param after null: from the start
   * @param of what the names of the streams begin with that are wanted: all of the ledger's
   * @param onStands told when the server has confirmed the subscription
   * @param onLevel told when all was given, and dealt with, that was there before it
   * @param upTo ends it once the server has looked at everything up to there
   */
  async *follow(
    after: Position | null,
    signal: AbortSignal,
    { of = '', onStands = () => undefined, onLevel = () => undefined, upTo = null }: FollowOptions = {},
  ): AsyncGenerator<Batch, void, undefined> {
    const prefixes = this.#names.prefixes(of);
    const enough = Promise.withResolvers<void>();
    const caughtUp = Promise.withResolvers<void>();
    const state = { isEnough: false };
    const end = (): void => {
      state.isEnough = true;
      enough.resolve();
    };
    // These come beside the events and run ahead of their consumer (facts, Seen): what arrived before is still given.
    // While catching up a checkpoint has prepare 0: it lies before the event whose commit position it names.
    let words = 0;
    const lookedAt = ({ commit, prepare }: WirePosition): void => {
      words += 1;
      if (upTo !== null && (commit > BigInt(upTo) || (commit === BigInt(upTo) && prepare === commit))) end();
    };
    const open = () => {
      const subscription = this.#connection.client().subscribeToAll(
        {
          fromPosition: after === null ? START : wirePosition(after),
          // A follower may have caught up with itself, and not be there yet.
          requiresLeader: upTo !== null,
          filter: streamNameFilter({
            prefixes,
            checkpointInterval: CHECKPOINT_INTERVAL,
            checkpointReached: (_subscription, position) => lookedAt(position),
          }),
        },
        { highWaterMark: BUFFERED },
      );
      // Without a quorum calls are taken and stay unanswered, and the server is not dead: keep-alive does not end them.
      const unconfirmed = setTimeout(() => subscription.destroy(UNCONFIRMED), this.#quietMs);
      subscription.on('confirmation', () => {
        clearTimeout(unconfirmed);
        onStands();
      });
      subscription.on('close', () => clearTimeout(unconfirmed));
      subscription.on('caughtUp', () => {
        caughtUp.resolve();
        if (upTo !== null) end();
      });
      return cancellable(subscription);
    };
    for await (const batch of whereverLed(open, {
      // Up to somewhere there is always something to tell: checkpoints, where no events.
      quietMs: upTo === null ? null : 2 * this.#quietMs,
      heard: () => words,
      isClosed: this.#connection.isClosed,
      signal,
      enough: enough.promise,
      level: { at: caughtUp.promise, onReached: onLevel },
    })) {
      const own = ownEvents(this.#names, batch);
      if (E.isLeft(own)) {
        yield own;
        return;
      }
      if (own.right.length > 0) yield own;
    }
    if (!signal.aborted && !state.isEnough) yield E.left(unavailable('a subscription ended without a word'));
  }

  /** Everything behind a position up to another, in batches that are never empty. */
  async *between(after: Position | null, upTo: Position, of = ''): AsyncGenerator<Batch, void, undefined> {
    for await (const batch of this.follow(after, NEVER, { of, upTo })) {
      if (E.isLeft(batch)) {
        yield batch;
        return;
      }
      const within = batch.right.filter(({ position }) => comparePositions(position, upTo) <= 0);
      if (within.length > 0) yield E.right(within);
      if (within.length < batch.right.length || within.at(-1)?.position === upTo) return;
    }
  }

  /** Reads a position that a caller sent: one that this log has an event of the ledger at. */
  async known(text: string): Promise<E.Either<StoreUnavailable, Position | null>> {
    if (!PositionText.is(text)) return E.right(null);
    const events = await this.at(text);
    return E.map((found: readonly RecordedEvent[]) => found[0]?.position ?? null)(events);
  }
}
