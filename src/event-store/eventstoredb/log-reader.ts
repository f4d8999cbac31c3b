import { addAll } from '../../domain/add-all.ts';
import { BACKWARDS, END, FORWARDS } from '@eventstore/db-client';
import type { AllStreamResolvedEvent, RecordedEvent as WireEvent } from '@eventstore/db-client';
import * as E from 'fp-ts/lib/Either.js';
import type { Position, StreamName } from '../../domain/ids.ts';
import { comparePositions, PositionText } from '../../domain/position.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { StoreUnavailable } from '../event-store.ts';
import type { Connection } from './connection.ts';
import { ownEvents, ownStream, type Batch } from './own-events.ts';
import { asUnavailable, unavailable } from './store-failure.ts';
import type { StreamNames } from './stream-names.ts';
import { fromWire, positionOf, wirePosition } from './wire-event.ts';
import { whereverLed } from './wherever-led.ts';

/** Events that are looked at from the end of the log for the newest of the ledger's. */
const FROM_THE_END = 50_000;

/** An event of the log, by what `OwnHead` asks of it. */
export type LogEntry = {
  readonly id: string;
  /** Whether it is the ledger's. */
  readonly isOwn: boolean;
  /** Null where it has none that can be told as one number; then why. */
  readonly position: Position | null;
  readonly problem: string;
};

/** Whether an event is the next one of its stream: a server that lies, or has lost some, is not to be taken at its word. */
const followsIn = (last: RecordedEvent | undefined, next: RecordedEvent): boolean =>
  last === undefined || (next.revision === last.revision + 1 && comparePositions(next.position, last.position) > 0);

/** Reads the ledger's events out of a server's log. */
export class LogReader {
  readonly #connection: Connection;
  readonly #names: StreamNames;
  readonly #quietMs: number;

  /** @param quietMs a read without a word for so long is given up */
  constructor(connection: Connection, names: StreamNames, quietMs: number) {
    this.#connection = connection;
    this.#names = names;
    this.#quietMs = quietMs;
  }

  /**
   * The events of a stream as they come, from the leader: a follower may be behind one's own writes. Nothing for one that is not
   * there, or was deleted.
   */
  async *pages(stream: StreamName, fromRevision = 0n): AsyncGenerator<Batch, void, undefined> {
    const read = () =>
      this.#connection.client().readStream(this.#names.there(stream), {
        fromRevision,
        requiresLeader: true,
      });
    let last: RecordedEvent | undefined;
    for await (const batch of whereverLed(read, { quietMs: this.#quietMs, isClosed: this.#connection.isClosed })) {
      if (E.isLeft(batch)) {
        const isNone = batch.left._tag === 'StreamNotFound' || batch.left._tag === 'StreamDeleted';
        if (!isNone || last !== undefined) yield E.left(asUnavailable(batch.left));
        return;
      }
      const page: RecordedEvent[] = [];
      for (const { event } of batch.right) {
        if (event === undefined) continue;
        const next = this.#nextOf(stream, event, last);
        if (E.isLeft(next)) {
          yield next;
          return;
        }
        page.push(next.right);
        last = next.right;
      }
      yield E.right(page);
    }
  }

  /** The last event of a stream, from the leader; null for one that is not there, or was deleted. */
  async last(stream: StreamName): Promise<E.Either<StoreUnavailable, RecordedEvent | null>> {
    const read = () =>
      this.#connection.client().readStream(this.#names.there(stream), {
        fromRevision: END,
        direction: BACKWARDS,
        maxCount: 1,
        requiresLeader: true,
      });
    let last: RecordedEvent | null = null;
    for await (const batch of whereverLed(read, { quietMs: this.#quietMs, isClosed: this.#connection.isClosed })) {
      if (E.isLeft(batch)) {
        const isNone = batch.left._tag === 'StreamNotFound' || batch.left._tag === 'StreamDeleted';
        return isNone ? E.right(null) : E.left(asUnavailable(batch.left));
      }
      for (const { event } of batch.right) {
        if (event === undefined) continue;
        const read = this.#nextOf(stream, event, undefined);
        if (E.isLeft(read)) return read;
        last = read.right;
      }
    }
    return E.right(last);
  }

  /** An event of a stream as it was recorded, if it is one, and the one behind another. */
  #nextOf(
    stream: StreamName,
    event: WireEvent,
    last: RecordedEvent | undefined,
  ): E.Either<StoreUnavailable, RecordedEvent> {
    if (event.streamId !== this.#names.there(stream)) {
      return E.left(unavailable(`asked for stream ${stream} it answers with another one`));
    }
    const recorded = fromWire(event, stream);
    if (E.isLeft(recorded)) return E.left(unavailable(recorded.left));
    const { revision } = recorded.right;
    return followsIn(last, recorded.right)
      ? recorded
      : E.left(unavailable(`revision ${revision} of stream ${stream} does not follow the one before it`));
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
    const found: RecordedEvent[] = [];
    // It is read to its end: a server closes the connection of a client that breaks off too often.
    for await (const batch of whereverLed(read, { quietMs: this.#quietMs, isClosed: this.#connection.isClosed })) {
      // One beyond the end gives nothing. Any other failure is none of the position's: a page would lack an event.
      if (E.isLeft(batch) && batch.left._tag === 'NoSuchPosition') return E.right([]);
      const own = ownEvents(this.#names, batch);
      if (E.isLeft(own)) return own;
      addAll(
        found,
        own.right.filter((event) => event.position === position),
      );
      if (found.length > 1) return E.left(unavailable(`it answers two events at position ${position}`));
    }
    return E.right(found);
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
    let looked = 0;
    for await (const batch of whereverLed(read, { quietMs: this.#quietMs, isClosed: this.#connection.isClosed })) {
      const own = ownEvents(this.#names, batch);
      if (E.isLeft(own)) return own;
      addAll(events, own.right.slice(0, most - events.length));
      looked += E.isRight(batch) ? batch.right.length : 0;
      if (events.length >= most || looked >= FROM_THE_END) break;
    }
    return E.right(events);
  }

  /** Reads a position that a caller sent: one that this log has an event of the ledger at. */
  async known(text: string): Promise<E.Either<StoreUnavailable, Position | null>> {
    if (!PositionText.is(text)) return E.right(null);
    const events = await this.at(text);
    return E.map((found: readonly RecordedEvent[]) => found[0]?.position ?? null)(events);
  }
}
