import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { instantOf } from '../../src/domain/instant.ts';
import type { EventForStream } from '../../src/domain/new-event.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import type { EventStore, StoreUnavailable } from '../../src/event-store/event-store.ts';
import type { PartedLog } from '../../src/event-store/parted-log.ts';
import { inMemoryEventStore, type InMemoryEventStore } from './in-memory-event-store.ts';
import { right } from './right.ts';
import { pagesOf } from './pages-of.ts';

const AWAY: StoreUnavailable = { _tag: 'StoreUnavailable', detail: 'the connection was lost' };

/** A log of these events, in a store of its own. */
const logOf = async (events: readonly EventForStream[]): Promise<InMemoryEventStore> => {
  const log = inMemoryEventStore(() => instantOf(0));
  for (const { stream, event } of events) right(await log.append(stream, 'none', [event])());
  return log;
};

/**
 * A store whose log is put back, or exchanged for another one. Who reads it then loses the connection, and is told nothing more:
 * positions are given again. Each event begins a stream of its own.
 */
export class PutBackStore {
  #log = inMemoryEventStore(() => instantOf(0));
  #events: readonly EventForStream[] = [];
  #connection = new AbortController();
  #isAway = false;
  /** Every log that there was, as it was. */
  readonly logs: (readonly RecordedEvent[])[] = [[]];

  /** What the log has now. */
  get events(): readonly EventForStream[] {
    return this.#events;
  }

  get recorded(): readonly RecordedEvent[] {
    return this.#log.recorded();
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  async append(events: readonly EventForStream[]): Promise<void> {
    for (const { stream, event } of events) {
      right(await this.#log.append(stream, 'none', [event])());
      this.logs.push([...this.recorded]);
    }
    this.#events = [...this.#events, ...events];
  }

  /** Every connection is lost, and there is no other one. */
  cut(): void {
    this.#isAway = true;
    this.#connection.abort();
  }

  /** There are connections again, to a log of these events. */
  async comeBack(events: readonly EventForStream[]): Promise<void> {
    const log = await logOf(events);
    this.#connection.abort();
    this.#connection = new AbortController();
    [this.#log, this.#events, this.#isAway] = [log, events, false];
    this.logs.push([...this.recorded]);
  }

  /** The store as the ledger has it. */
  readonly store: EventStore & PartedLog = {
    append: () => TE.left(AWAY),
    readStream: (stream) => this.#asked((log) => log.readStream(stream)),
    streamPages: pagesOf((stream) => this.#asked((log) => log.readStream(stream))),
    listStreams: (prefix) => this.#asked((log) => log.listStreams(prefix)),
    readAll: (after) => this.#whileConnected((log) => log.readAll(after)),
    lastOfStream: (stream) => this.#asked((log) => log.lastOfStream(stream)),
    readAt: (positions) => this.#asked((log) => log.readAt(positions)),
    headersAt: (positions) => this.#asked((log) => log.headersAt(positions)),
    readHeaders: (after, upTo) => this.#whileConnected((log) => log.readHeaders(after, upTo)),
    streamParts: () => this.#asked((log) => log.streamParts()),
    readPart: (part, upTo) => this.#asked((log) => log.readPart(part, upTo)),
    readPartAndStrays: (part, upTo) => this.#asked((log) => log.readPartAndStrays(part, upTo)),
    head: () => this.#asked((log) => log.head()),
    subscribe: (after, signal) =>
      this.#whileConnected((log, lost) => log.subscribe(after, AbortSignal.any([signal, lost])), signal),
    parsePosition: (text) => this.#asked((log) => log.parsePosition(text)),
    readiness: () => ({ ready: !this.#isAway, detail: AWAY.detail }),
    close: () => Promise.resolve(),
  };

  #asked<L, A>(ask: (log: InMemoryEventStore) => TE.TaskEither<L, A>): TE.TaskEither<L | StoreUnavailable, A> {
    return async () => {
      const { signal } = this.#connection;
      const answer = this.#isAway ? E.left(AWAY) : await ask(this.#log)();
      return signal.aborted ? E.left(AWAY) : answer;
    };
  }

  async *#whileConnected<A>(
    read: (log: InMemoryEventStore, lost: AbortSignal) => AsyncIterable<E.Either<StoreUnavailable, A>>,
    closing?: AbortSignal,
  ): AsyncGenerator<E.Either<StoreUnavailable, A>, void, undefined> {
    const { signal } = this.#connection;
    const isLost = (): boolean => this.#isAway || signal.aborted;
    if (!isLost()) {
      for await (const one of read(this.#log, signal)) {
        if (isLost()) break;
        yield one;
      }
    }
    if (isLost() && closing?.aborted !== true) yield E.left(AWAY);
  }
}
