import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { branded } from '../../src/domain/brand.ts';
import { isRevision, type Position, type Revision, type StreamName } from '../../src/domain/ids.ts';
import type { Instant } from '../../src/domain/instant.ts';
import { positionAt, positionNumber } from '../../src/domain/position.ts';
import type { EventHeader, NewEvent, RecordedEvent } from '../../src/domain/recorded-event.ts';
import type {
  AppendError,
  Appended,
  EventStore,
  ExpectedRevision,
  StoreUnavailable,
} from '../../src/event-store/event-store.ts';
import type { PartedLog, StreamEvents } from '../../src/event-store/parted-log.ts';
import { recordedEvent } from './recorded-event.ts';
import { pagesOf } from './pages-of.ts';

/** The port on plain arrays, and what a test does to it. Positions are places in the log, from 0. */
export type InMemoryEventStore = EventStore &
  PartedLog & {
    /** Takes the store away, with the reason that it then gives; null brings it back. */
    readonly takeAway: (detail: string | null) => void;
    /** Every event, whether the store is away or not. */
    readonly recorded: () => readonly RecordedEvent[];
    /** Forgets every event. */
    readonly clear: () => void;
    /** Changes an event as nobody should. */
    readonly tamper: (stream: StreamName, revision: number, change: Partial<RecordedEvent>) => void;
  };

const sameBytes = (a: NewEvent, b: RecordedEvent | undefined): boolean =>
  b !== undefined &&
  a.id === b.id &&
  a.type === b.type &&
  a.data.toString() === b.data &&
  a.metadata.toString() === b.metadata &&
  (a.rawBody === null ? b.rawBody === null : b.rawBody !== null && a.rawBody.equals(b.rawBody));

const MOST_AT_ONCE = 3;
const STREAMS_OF_A_PART = 2;

const placeBehind = (after: Position | null): number => (after === null ? 0 : positionNumber(after) + 1);

export const inMemoryEventStore = (now: () => Instant): InMemoryEventStore => {
  const log: RecordedEvent[] = [];
  const waiting = new Set<() => void>();
  let away: StoreUnavailable | null = null;

  const streamOf = (stream: StreamName): readonly RecordedEvent[] => log.filter((event) => event.stream === stream);
  const available = <A>(value: () => A): TE.TaskEither<StoreUnavailable, A> =>
    TE.fromIOEither(() => (away === null ? E.right(value()) : E.left(away)));

  const write = (
    stream: StreamName,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): E.Either<AppendError, Appended> => {
    const there = streamOf(stream);
    const first = expected === 'none' ? 0 : expected + 1;
    const known = there[first];
    if (known !== undefined && events.every((event, i) => sameBytes(event, there[first + i]))) {
      return E.right({ revision: known.revision, position: known.position });
    }
    const last = there.at(-1);
    if (first !== there.length) {
      return E.left({ _tag: 'WrongExpectedRevision', actual: last === undefined ? 'none' : last.revision });
    }
    const appended = { revision: branded<Revision>(first), position: positionAt(log.length) };
    for (const [i, event] of events.entries()) {
      const [revision, position] = [branded<Revision>(first + i), positionAt(log.length)];
      log.push(recordedEvent({ stream, event }, { revision, position, recordedAt: now() }));
    }
    for (const wake of waiting) wake();
    return E.right(appended);
  };

  async function* from(
    after: Position | null,
    upTo: () => number,
  ): AsyncGenerator<E.Either<StoreUnavailable, RecordedEvent>> {
    for (let i = placeBehind(after); i < upTo(); i += 1) {
      const event = log[i];
      if (away !== null) {
        yield E.left(away);
        return;
      }
      if (event !== undefined) yield E.right(event);
    }
  }

  /** Waits for an append, or for the signal. */
  const more = async (signal: AbortSignal): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.add(resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    waiting.delete(resolve);
  };

  async function* live(
    after: Position | null,
    signal: AbortSignal,
  ): AsyncGenerator<E.Either<StoreUnavailable, readonly RecordedEvent[]>> {
    // A function, since the signal changes while this waits.
    const aborted = (): boolean => signal.aborted;
    let next = placeBehind(after);
    while (!aborted()) {
      const events = log.slice(next, next + MOST_AT_ONCE);
      if (away !== null) {
        yield E.left(away);
        return;
      }
      if (events.length === 0) await more(signal);
      else {
        next += events.length;
        yield E.right(events);
      }
    }
  }

  async function* headers(
    after: Position | null,
    upTo: Position,
  ): AsyncGenerator<E.Either<StoreUnavailable, readonly EventHeader[]>> {
    for (let next = placeBehind(after); next <= positionNumber(upTo); next += MOST_AT_ONCE) {
      yield available(() => log.slice(next, Math.min(next + MOST_AT_ONCE, positionNumber(upTo) + 1)))();
    }
  }

  const parts = (upTo: Position): readonly (readonly RecordedEvent[])[] => {
    const names = [...new Set(log.map(({ stream }) => stream))];
    const within = log.slice(0, positionNumber(upTo) + 1);
    return names.map((name) => within.filter(({ stream }) => stream === name)).filter((events) => events.length > 0);
  };

  const streamsOf = (part: number, upTo: Position): readonly StreamEvents[] => {
    const first = part * STREAMS_OF_A_PART;
    const streams = parts(upTo).slice(first, first + STREAMS_OF_A_PART);
    return streams.flatMap((events) => events.slice(0, 1).map(({ stream }) => ({ stream, events })));
  };

  const readStream: EventStore['readStream'] = (stream) => available(() => streamOf(stream));

  return {
    append: (stream, expected, events) => TE.flattenW(available(() => TE.fromEither(write(stream, expected, events)))),
    readStream,
    streamPages: pagesOf(readStream),
    listStreams: (prefix) =>
      available(() => [...new Set(log.map(({ stream }) => stream))].filter((stream) => stream.startsWith(prefix))),
    readAll: (after) => {
      const head = log.length;
      return from(after, () => head);
    },
    readAt: (positions) =>
      available(() =>
        positions.flatMap((position) => log.slice(positionNumber(position), positionNumber(position) + 1)),
      ),
    lastOfStream: (stream) => available(() => streamOf(stream).at(-1) ?? null),
    headersAt: (positions) =>
      available(() =>
        positions.flatMap((position) => log.slice(positionNumber(position), positionNumber(position) + 1)),
      ),
    readHeaders: headers,
    streamParts: () => available(() => Math.ceil(parts(positionAt(log.length)).length / STREAMS_OF_A_PART)),
    readPart: (part, upTo) => available(() => streamsOf(part, upTo)),
    readPartAndStrays: (part, upTo) => available(() => ({ streams: streamsOf(part, upTo), strays: [] })),
    head: () => available(() => log.at(-1)?.position ?? null),
    subscribe: live,
    parsePosition: (text) =>
      /^(0|[1-9]\d*)$/.test(text) && isRevision(Number(text)) && Number(text) < log.length
        ? TE.right(branded<Position>(text))
        : TE.left({ _tag: 'UnknownPosition' }),
    readiness: () => (away === null ? { ready: true } : { ready: false, detail: away.detail }),
    close: () => Promise.resolve(),
    takeAway: (detail) => {
      away = detail === null ? null : { _tag: 'StoreUnavailable', detail };
    },
    recorded: () => log,
    clear: () => {
      log.length = 0;
    },
    tamper: (stream, revision, change) => {
      const at = log.findIndex((event) => event.stream === stream && event.revision === revision);
      const event = log[at];
      if (event === undefined) throw new Error(`no event ${revision} in ${stream}`);
      log[at] = { ...event, ...change };
    },
  };
};
