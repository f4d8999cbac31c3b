import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { atMost } from '../../concurrency/at-most.ts';
import { inTime } from '../../concurrency/in-time.ts';
import type { Position, StreamName } from '../../domain/ids.ts';
import { comparePositions } from '../../domain/position.ts';
import type { Trouble } from '../../domain/trouble.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { EventStore, Readiness, StoreUnavailable, UnknownPosition } from '../event-store.ts';
import { Appender, APPEND_TIMING, type AppendTiming } from './appender.ts';
import { connect, LEAVE_AFTER_MS, type Connection } from './connection.ts';
import type { EventStoreDbLocation } from './eventstoredb-location.ts';
import { LiveTail, type TailEvents } from './live-tail.ts';
import { HeadHintFile } from './head-hint.ts';
import { LogFollower } from './log-follower.ts';
import { LogReader } from './log-reader.ts';
import { OwnHead } from './own-head.ts';
import { StreamNames } from './stream-names.ts';
import { wholeStream } from '../whole-stream.ts';

/** The connection string can't be used: a wrong configuration. */
export type EventStoreDbOpenError = Trouble & { readonly _tag: 'UrlUnusable' };

/** Reads by position at a time: a page of the trail asks for up to 500. */
const READS_AT_ONCE = 16;

/** How long the start of a ledger waits to see whether the store is there: it serves in any case. */
const FIRST_TRY_MS = 500;

/** How often a ledger that serves keeps where its events end: what others write meanwhile, its next start looks at. */
const KEEP_HINT_EVERY_MS = 300_000;

type Log = {
  readonly connection: Connection;
  readonly reader: LogReader;
  readonly follower: LogFollower;
  readonly ownHead: OwnHead;
  readonly names: StreamNames;
};

export type StoreTiming = AppendTiming & {
  /** A read without a word for so long is given up: the client sets reads no deadline (facts, The client). */
  readonly quietMs: number;
  /** A node that answers no call well for so long is left, and the nodes are asked anew which one leads. */
  readonly leaveAfterMs: number;
};

const USUAL_TIMING: StoreTiming = { ...APPEND_TIMING, quietMs: 3_000, leaveAfterMs: LEAVE_AFTER_MS };

const openLog = (
  { url, streamPrefix, dataDir, lock }: EventStoreDbLocation,
  { quietMs, leaveAfterMs }: StoreTiming,
): E.Either<EventStoreDbOpenError, Log> =>
  pipe(
    connect(url, leaveAfterMs),
    E.bimap(
      (detail): EventStoreDbOpenError => ({ _tag: 'UrlUnusable', detail, cure: null }),
      (connection) => {
        const names = new StreamNames(streamPrefix);
        const reader = new LogReader(connection, names, quietMs);
        const follower = new LogFollower(connection, names, quietMs);
        const ownHead = new OwnHead(
          reader,
          follower,
          new HeadHintFile({ dataDir, streamPrefix, ...(lock === undefined ? {} : { lock }) }),
        );
        return { connection, names, reader, follower, ownHead };
      },
    ),
  );

const readAt =
  (reader: LogReader, positions: readonly Position[]): TE.TaskEither<StoreUnavailable, readonly RecordedEvent[]> =>
  async () => {
    const found = await atMost(READS_AT_ONCE, positions, (position) => reader.at(position));
    return E.map((events: readonly (readonly RecordedEvent[])[]) => events.flat())(found);
  };

const listStreams =
  (follower: LogFollower, head: Head, prefix: string): TE.TaskEither<StoreUnavailable, readonly StreamName[]> =>
  async () => {
    const upTo = await head()();
    if (E.isLeft(upTo)) return upTo;
    const names = new Set<StreamName>();
    if (upTo.right === null) return E.right([]);
    for await (const batch of follower.between(null, upTo.right, prefix)) {
      if (E.isLeft(batch)) return batch;
      for (const { stream } of batch.right) if (stream.startsWith(prefix)) names.add(stream);
    }
    return E.right([...names]);
  };

async function* readAll(
  follower: LogFollower,
  head: Head,
  after: Position | null,
): AsyncGenerator<E.Either<StoreUnavailable, RecordedEvent>, void, undefined> {
  const upTo = await head()();
  if (E.isLeft(upTo)) yield upTo;
  else if (upTo.right !== null && comparePositions(upTo.right, after) > 0) {
    for await (const batch of follower.between(after, upTo.right)) {
      if (E.isLeft(batch)) yield batch;
      else for (const event of batch.right) yield E.right(event);
    }
  }
}

type Head = EventStore['head'];

/** As the tail knows it; else it is looked for, once for all who ask meanwhile, and what was appended since the tail has seen. */
const headOf = (tail: LiveTail, ownHead: OwnHead): ReturnType<Head> => {
  let looking: Promise<E.Either<StoreUnavailable, Position | null>> | null = null;
  const look = async (): Promise<E.Either<StoreUnavailable, Position | null>> => {
    const found = await ownHead.find();
    if (E.isRight(found)) tail.found(found.right);
    looking = null;
    return E.map(() => tail.last)(found);
  };
  return async () => (tail.knowsHead ? E.right(tail.last) : (looking ??= look()));
};

const storeOf = (
  { connection, reader, follower, names, ownHead }: Log,
  tail: LiveTail | null,
  readiness: () => Readiness,
  timing: StoreTiming,
): EventStore => {
  const appender = new Appender(connection, names, reader, tail, timing);
  const ask = tail === null ? () => ownHead.find() : headOf(tail, ownHead);
  const head: Head = () => ask;
  return {
    append: (stream, expected, events) => () => appender.append({ stream, expected, events }),
    readStream: (stream) => () => wholeStream(reader.pages(stream)),
    streamPages: (stream) => reader.pages(stream),
    listStreams: (prefix) => listStreams(follower, head, prefix),
    readAll: (after) => readAll(follower, head, after),
    lastOfStream: (stream) => () => reader.last(stream),
    readAt: (positions) => readAt(reader, positions),
    headersAt: (positions) => readAt(reader, positions),
    head,
    subscribe: (after, signal) => follower.follow(after, signal),
    parsePosition: (text) =>
      pipe(() => reader.known(text), TE.chainW(TE.fromNullable<UnknownPosition>({ _tag: 'UnknownPosition' }))),
    readiness,
    close: async () => {
      await appender.close();
      // A read of the tail that a silent server keeps waiting ends with the connection.
      await Promise.all([tail?.close(), connection.close()]);
    },
  };
};

/** Opens the store for a command or a thread: it connects when it is first asked. */
export const openEventStoreDb = (
  location: EventStoreDbLocation,
  timing: StoreTiming = USUAL_TIMING,
): E.Either<EventStoreDbOpenError, EventStore> =>
  E.map((log: Log) => storeOf(log, null, () => ({ ready: true }), timing))(openLog(location, timing));

/** Opens the store of a ledger that serves; it does so also while the server is away, and connects when it is back. */
export const openEventStoreDbServing = async (
  location: EventStoreDbLocation,
  events: TailEvents,
  timing: StoreTiming = USUAL_TIMING,
): Promise<E.Either<EventStoreDbOpenError, EventStore>> => {
  const log = openLog(location, timing);
  if (E.isLeft(log)) return log;
  const tail = new LiveTail(log.right.follower, log.right.ownHead, events);
  const readiness = (): Readiness => (tail.problem === null ? { ready: true } : { ready: false, detail: tail.problem });
  const store = storeOf(log.right, tail, readiness, timing);
  await inTime(FIRST_TRY_MS, tail.tried, undefined);
  const keepHint = (): void => void log.right.ownHead.find();
  const keeping = setInterval(keepHint, KEEP_HINT_EVERY_MS).unref();
  void store.head()();
  return E.right({
    ...store,
    close: async () => {
      clearInterval(keeping);
      await store.close();
    },
  });
};
