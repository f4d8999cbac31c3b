import { NO_STREAM } from '@eventstore/db-client';
import * as E from 'fp-ts/lib/Either.js';
import { BytesUnderWay } from '../../concurrency/bytes-under-way.ts';
import { inTime } from '../../concurrency/in-time.ts';
import { wait } from '../../concurrency/wait.ts';
import { branded } from '../../domain/brand.ts';
import type { Revision, StreamName } from '../../domain/ids.ts';
import type { NewEvent, RecordedEvent } from '../../domain/recorded-event.ts';
import type { AppendError, Appended, ExpectedRevision, StoreUnavailable } from '../event-store.ts';
import type { Connection } from './connection.ts';
import type { LiveTail, Seen } from './live-tail.ts';
import type { LogReader } from './log-reader.ts';
import { asUnavailable, storeFailure, unavailable, type StoreFailure } from './store-failure.ts';
import type { StreamNames } from './stream-names.ts';
import { isSame, LARGEST_EVENT, toWire, wireSize } from './wire-event.ts';
import { wholeStream } from '../whole-stream.ts';

type Events = readonly [NewEvent, ...(readonly NewEvent[])];

/** An append at exactly one revision. */
type Request = { readonly stream: StreamName; readonly expected: ExpectedRevision; readonly events: Events };

export type AppendTiming = {
  /** How long an append may take in all; the delivery is then spooled, and its provider answered in time. */
  readonly withinMs: number;
  /** Pauses before the same append is sent again: a leader change or a restart may be over by then. */
  readonly pausesMs: readonly number[];
  /** How long an append that has no answer counts among those under way, which are so many bytes at the most. */
  readonly countedMs: number;
  /** How long an acknowledged event may take to be seen before it is read: mostly it is seen first. */
  readonly seenWithinMs: number;
};

export const APPEND_TIMING: AppendTiming = {
  withinMs: 3_000,
  pausesMs: [50, 150, 400],
  countedMs: 250,
  seenWithinMs: 250,
};

/**
 * What is with the client and has no answer, together: it writes an event for its call when that is ready, which takes a millisecond for
 * some 30 KB, and all that wait for one connection in the same turn. Several hundred small events fit in, and one of the largest.
 */
const MOST_BYTES = 524_288;
/** Where no answer has come since an append failed it is not known whether calls are ready. */
const MOST_BYTES_UNANSWERED = 65_536;
/** What an event counts at least: its call costs as much. */
const LEAST_BYTES = 1_024;

type Acknowledged = { readonly revision: bigint; readonly position: bigint | null };

/** What says nothing of whether the server was reached. */
const UNANSWERED: ReadonlySet<StoreFailure['_tag']> = new Set(['Unavailable', 'TooLate']);

const firstRevision = (expected: ExpectedRevision): number => (expected === 'none' ? 0 : expected + 1);

/** What an append may take beyond its time: an answer of the last moment is still looked at. */
const LAST_LOOK_MS = 200;

/** How long the end waits for answers. */
const LAST_ANSWERS_MS = 500;

/** Resolves once the very event is seen at its place; never where another one is. */
const ownAmong = (seen: Promise<Seen>, event: NewEvent): Promise<E.Either<never, Appended>> =>
  new Promise((resolve) => {
    void seen.then((there) => {
      if (there === 'unknown' || !isSame(there, event)) return undefined;
      resolve(E.right({ revision: there.revision, position: there.position }));
      return undefined;
    });
  });

const NO_ANSWER: StoreFailure = { _tag: 'TooLate', detail: 'no answer to an append in time' };

/**
 * Appends, one call for each (docs/decisions/0010-eventstoredb.md), so that its own deadline holds and no other append
 * shares its fate. Where the outcome is unknown the identical append is sent again, with the identical expected revision:
 * the server then finds its ids behind the head and writes nothing (facts, Append and idempotency).
 */
export class Appender {
  readonly #connection: Connection;
  readonly #names: StreamNames;
  readonly #reader: LogReader;
  readonly #tail: LiveTail | null;
  readonly #timing: AppendTiming;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #bytes: BytesUnderWay;
  /** Whether the last append that ended was answered. */
  #isAnswered = false;
  #isClosed = false;

  /** @param tail the ledger's own subscription; without one each appended event is read back */
  constructor(
    connection: Connection,
    names: StreamNames,
    reader: LogReader,
    tail: LiveTail | null,
    timing: AppendTiming,
  ) {
    this.#timing = timing;
    this.#bytes = new BytesUnderWay(() => (this.#isAnswered ? MOST_BYTES : MOST_BYTES_UNANSWERED), timing.countedMs);
    this.#connection = connection;
    this.#names = names;
    this.#reader = reader;
    this.#tail = tail;
  }

  async append(request: Request): Promise<E.Either<AppendError, Appended>> {
    if (this.#isClosed) return E.left(unavailable('it is closed'));
    const appended = this.#append(request);
    this.#underWay.add(appended);
    try {
      return await appended;
    } finally {
      this.#underWay.delete(appended);
    }
  }

  /**
   * Waits a little for what is under way; nothing is sent anew. What has no answer by then is of unknown outcome, and the
   * same again finds out: where it matters to anybody, it was waited for before.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    await inTime(LAST_ANSWERS_MS, Promise.allSettled(this.#underWay), undefined);
  }

  async #append({ stream, expected, events }: Request): Promise<E.Either<AppendError, Appended>> {
    const bytes = events.reduce((size, event) => size + wireSize(event), 0);
    // Above 16 MiB a call ends with the connection, and takes along what is under way on it (facts, Seen).
    if (bytes > LARGEST_EVENT) {
      return E.left({
        _tag: 'AppendRefused',
        detail: `the event is larger than the ${LARGEST_EVENT} bytes that EventStoreDB takes`,
      });
    }
    const last = firstRevision(expected) + events.length - 1;
    const watch = this.#tail?.watch(stream, last) ?? null;
    const isKnown = new AbortController();
    try {
      const answered = this.#answered({ stream, expected, events }, bytes, watch?.seen ?? null, isKnown.signal);
      // What is seen is known, also where the answer never comes.
      const isWatched = watch !== null && events.length === 1;
      const known = isWatched ? Promise.race([answered, ownAmong(watch.seen, events[0])]) : answered;
      // The deadline of a call holds neither for the discovery of the node that it goes to, nor for the look afterwards.
      return await inTime(this.#timing.withinMs + LAST_LOOK_MS, known, E.left(asUnavailable(NO_ANSWER)));
    } finally {
      isKnown.abort();
      watch?.stop();
    }
  }

  async #answered(
    request: Request,
    bytes: number,
    seen: Promise<Seen> | null,
    isKnown: AbortSignal,
  ): Promise<E.Either<AppendError, Appended>> {
    const before = this.#tail?.passed ?? null;
    const sent = await this.#sendInTurn(request, bytes, isKnown);
    if (E.isLeft(sent)) return this.#failed(request.stream, sent.left);
    // What stands at or before a place that was seen already was appended earlier: the subscription shows it no more.
    const isShownYet = before === null || (sent.right.position ?? 0n) > BigInt(before);
    return this.#proved(request, sent.right.revision, isShownYet ? seen : null);
  }

  async #failed(stream: StreamName, failure: StoreFailure): Promise<E.Either<AppendError, never>> {
    if (failure._tag === 'WrongExpectedVersion') return this.#overtaken(stream, failure.actual);
    if (failure._tag === 'Refused') return E.left({ _tag: 'AppendRefused', detail: failure.detail });
    return E.left(
      failure._tag === 'StreamDeleted'
        ? { _tag: 'AppendRefused', detail: 'its stream was deleted for good' }
        : asUnavailable(failure),
    );
  }

  /** Sends it when so little is under way that nobody waits for what the client does with it. */
  async #sendInTurn(
    request: Request,
    bytes: number,
    isKnown: AbortSignal,
  ): Promise<E.Either<StoreFailure, Acknowledged>> {
    const until = performance.now() + this.#timing.withinMs;
    const left = await this.#bytes.enter(Math.max(bytes, LEAST_BYTES));
    try {
      // Whoever asked was told meanwhile that it is not known; it was not sent, and is not sent behind their next try.
      if (isKnown.aborted || this.#isClosed) return E.left(NO_ANSWER);
      const sent = await this.#sendUntilKnown(request, until, isKnown);
      this.#isAnswered = E.isRight(sent) || !UNANSWERED.has(sent.left._tag);
      return sent;
    } finally {
      left();
    }
  }

  /** Where the last event stands, as the server acknowledged it; it does not always tell the position of one that was there. */
  async #sendUntilKnown(
    request: Request,
    until: number,
    isKnown: AbortSignal,
  ): Promise<E.Either<StoreFailure, Acknowledged>> {
    const { pausesMs } = this.#timing;
    let sent = await this.#send(request, Math.max(1, until - performance.now()));
    for (const pauseMs of pausesMs) {
      if (E.isRight(sent) || !['Unavailable', 'NotLeader'].includes(sent.left._tag)) return sent;
      await wait(pauseMs);
      if (isKnown.aborted || this.#isClosed) return sent;
      sent = await this.#send(request, Math.max(1, until - performance.now()));
    }
    return sent;
  }

  async #send({ stream, expected, events }: Request, deadline: number): Promise<E.Either<StoreFailure, Acknowledged>> {
    try {
      const result = await this.#connection.client().appendToStream(this.#names.there(stream), events.map(toWire), {
        expectedRevision: expected === 'none' ? NO_STREAM : BigInt(expected),
        credentials: this.#connection.credentials,
        deadline,
      });
      return E.right({ revision: result.nextExpectedRevision, position: result.position?.commit ?? null });
    } catch (error) {
      return E.left(storeFailure(error));
    }
  }

  /** A success may be another writer's: of two events of one id at one revision the second is dropped, and both succeed. */
  async #proved(
    { stream, events }: Request,
    lastRevision: bigint,
    seen: Promise<Seen> | null,
  ): Promise<E.Either<AppendError, Appended>> {
    const first = Number(lastRevision) - events.length + 1;
    const shown = seen === null || events.length > 1 ? null : await inTime(this.#timing.seenWithinMs, seen, null);
    const isShown = shown !== null && shown !== 'unknown' && shown.revision === first;
    const there = isShown ? E.right([shown]) : await this.#readFrom(stream, BigInt(first));
    if (E.isLeft(there)) return there;
    const [event] = there.right;
    if (event === undefined) {
      return E.left({
        _tag: 'AppendRefused',
        detail: `its stream was cut off behind revision ${first}, where it stands`,
      });
    }
    if (events.every((one, i) => isThere(there.right[i], one))) {
      this.#tail?.reached(there.right[events.length - 1]?.position ?? event.position);
      return E.right({ revision: branded<Revision>(first), position: event.position });
    }
    return isShown
      ? this.#overtaken(stream, null)
      : this.#overtaken(stream, BigInt(there.right.at(-1)?.revision ?? event.revision));
  }

  /** What stands from a revision on. Nothing at all is not believed at once: who reads from a leader of this moment may be shown less than it has. */
  async #readFrom(stream: StreamName, first: bigint): Promise<E.Either<StoreUnavailable, readonly RecordedEvent[]>> {
    let read = await wholeStream(this.#reader.pages(stream, first));
    for (const pauseMs of this.#timing.pausesMs) {
      if (E.isLeft(read) || read.right.length > 0 || this.#isClosed) return read;
      await wait(pauseMs);
      read = await wholeStream(this.#reader.pages(stream, first));
    }
    return read;
  }

  /** The head of now: what the server told may be of a stream that was deleted and begun anew, or nothing. */
  async #overtaken(stream: StreamName, actual: bigint | null): Promise<E.Either<AppendError, never>> {
    if (actual !== null) return E.left({ _tag: 'WrongExpectedRevision', actual: branded<Revision>(Number(actual)) });
    const events = await wholeStream(this.#reader.pages(stream));
    if (E.isLeft(events)) return events;
    return E.left({ _tag: 'WrongExpectedRevision', actual: events.right.at(-1)?.revision ?? 'none' });
  }
}

const isThere = (stored: RecordedEvent | undefined, event: NewEvent): boolean =>
  stored !== undefined && isSame(stored, event);
