import { either as E, taskEither as TE } from 'fp-ts';
import { branded } from '../../src/domain/brand.ts';
import { isRevision, type Position, type Revision, type StreamName } from '../../src/domain/ids.ts';
import type { Instant } from '../../src/domain/instant.ts';
import type { NewEvent, RecordedEvent } from '../../src/domain/recorded-event.ts';
import type {
  AppendError,
  Appended,
  EventStore,
  ExpectedRevision,
  StoreUnavailable,
} from '../../src/event-store/event-store.ts';

/** The port on plain arrays, and what a test does to it. Positions are places in the log, from 0. */
export type InMemoryEventStore = EventStore & {
  /** Takes the store away, with the reason that it then gives; null brings it back. */
  readonly takeAway: (detail: string | null) => void;
  /** Forgets every event. */
  readonly clear: () => void;
  /** Changes an event as nobody should. */
  readonly tamper: (stream: StreamName, revision: number, change: Partial<RecordedEvent>) => void;
};

const sameBytes = (a: NewEvent, b: NewEvent | undefined): boolean =>
  b !== undefined &&
  a.id === b.id &&
  a.type === b.type &&
  a.data.equals(b.data) &&
  a.metadata.equals(b.metadata) &&
  (a.rawBody === null ? b.rawBody === null : b.rawBody !== null && a.rawBody.equals(b.rawBody));

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
    const appended = { revision: branded<Revision>(first), position: branded<Position>(String(log.length)) };
    for (const [i, event] of events.entries()) {
      const [revision, position] = [branded<Revision>(first + i), branded<Position>(String(log.length))];
      log.push({ ...event, stream, revision, position, recordedAt: now() });
    }
    for (const wake of waiting) wake();
    return E.right(appended);
  };

  async function* from(
    after: Position | null,
    upTo: () => number,
  ): AsyncGenerator<E.Either<StoreUnavailable, RecordedEvent>> {
    for (let i = after === null ? 0 : Number(after) + 1; i < upTo(); i += 1) {
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
  ): AsyncGenerator<E.Either<StoreUnavailable, RecordedEvent>> {
    // A function, since the signal changes while this waits.
    const aborted = (): boolean => signal.aborted;
    let next = after === null ? 0 : Number(after) + 1;
    while (!aborted()) {
      const event = log[next];
      if (away !== null) {
        yield E.left(away);
        return;
      }
      if (event === undefined) await more(signal);
      else {
        next += 1;
        yield E.right(event);
      }
    }
  }

  return {
    append: (stream, expected, events) => TE.flattenW(available(() => TE.fromEither(write(stream, expected, events)))),
    readStream: (stream) => available(() => streamOf(stream)),
    readAll: (after) => {
      const head = log.length;
      return from(after, () => head);
    },
    subscribe: live,
    parsePosition: (text) =>
      /^(0|[1-9]\d*)$/.test(text) && isRevision(Number(text)) && Number(text) < log.length
        ? E.right(branded<Position>(text))
        : E.left({ _tag: 'UnknownPosition' }),
    readiness: () => (away === null ? { ready: true } : { ready: false, detail: away.detail }),
    close: () => Promise.resolve(),
    takeAway: (detail) => {
      away = detail === null ? null : { _tag: 'StoreUnavailable', detail };
    },
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
