import { EventStoreDBClient } from '@eventstore/db-client';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../../src/domain/brand.ts';
import { orderStream, type Position, type Revision, type StreamName } from '../../../src/domain/ids.ts';
import type { NewEvent, RecordedEvent } from '../../../src/domain/recorded-event.ts';
import { APPEND_TIMING } from '../../../src/event-store/eventstoredb/appender.ts';
import { LEAVE_AFTER_MS } from '../../../src/event-store/eventstoredb/connection.ts';
import {
  openEventStoreDb,
  openEventStoreDbServing,
  type StoreTiming,
} from '../../../src/event-store/eventstoredb/eventstoredb-event-store.ts';
import type { AppendError, Appended, EventStore, ExpectedRevision } from '../../../src/event-store/event-store.ts';
import type { LoggedEvent, ProposedEvent } from '../../support/eventstoredb/event-log.ts';
import { appendWith } from '../../support/eventstoredb/double-with-client.ts';
import {
  startEventStoreDb,
  type EventStoreDbDouble,
  type EventStoreDbOptions,
} from '../../support/eventstoredb/event-store-db-double.ts';
import { right } from '../../support/right.ts';
import { anEvent, anOrderId } from '../../support/stored-events.ts';
import { until } from '../../support/until.ts';

/** Before each stream name of the ledger's. */
const PREFIX = 'facts-';
/** The longest that these tests wait for what is to happen. */
export const WAIT_MS = 8_000;

/** For what is to end without an answer: soon. */
export const SHORT: StoreTiming = {
  withinMs: 300,
  pausesMs: [20, 40, 80],
  countedMs: 250,
  seenWithinMs: 50,
  quietMs: 200,
  leaveAfterMs: 400,
};
/** An append in `SHORT` has ended by then, also on a busy machine; its usual time is not over. */
export const SHORT_OVER_MS = 2_500;

const USUAL: StoreTiming = { ...APPEND_TIMING, quietMs: 3_000, leaveAfterMs: LEAVE_AFTER_MS };

/** A store on some server, how it takes the events of a log, and what its own subscription has shown. */
type StoreOnServer = {
  readonly store: EventStore;
  readonly shown: RecordedEvent[];
  /** What was wrong with its subscription, by the time; null where it stood again. */
  readonly states: (string | null)[];
};

/** Opens stores on servers and closes them together; the closing fails where anything escaped to the process meanwhile. */
export type Stores = {
  /** The store of a ledger that serves. */
  readonly serving: (url: string, timing?: Partial<StoreTiming>) => Promise<StoreOnServer>;
  /** The store of a command, which has no subscription. */
  readonly command: (url: string, timing?: Partial<StoreTiming>, streamPrefix?: string) => EventStore;
  /** The client itself, for what others do. */
  readonly client: (url: string) => EventStoreDBClient;
  readonly close: () => Promise<void>;
};

const ESCAPES = ['unhandledRejection', 'uncaughtExceptionMonitor'] as const;

export const stores = (): Stores => {
  const opened: { readonly close: () => Promise<unknown> }[] = [];
  const escaped: unknown[] = [];
  const onEscape = (error: unknown): void => void escaped.push(error);
  for (const event of ESCAPES) process.on(event, onEscape);
  const place = (url: string, streamPrefix = PREFIX) => ({ url, streamPrefix, dataDir: '/nowhere' });
  return {
    serving: async (url, timing) => {
      const shown: RecordedEvent[] = [];
      const states: (string | null)[] = [];
      const events = {
        onEvents: (each: readonly RecordedEvent[]) => void shown.push(...each),
        onState: (problem: string | null) => void states.push(problem),
      };
      const store = right(await openEventStoreDbServing(place(url), events, { ...USUAL, ...timing }));
      opened.push(store);
      return { store, shown, states };
    },
    command: (url, timing, streamPrefix) => {
      const store = right(openEventStoreDb(place(url, streamPrefix), { ...USUAL, ...timing }));
      opened.push(store);
      return store;
    },
    client: (url) => {
      const client = EventStoreDBClient.connectionString(url);
      opened.push({ close: () => client.dispose() });
      return client;
    },
    close: async () => {
      await Promise.all(opened.map((each) => each.close()));
      // Node tells of a rejection that is nobody's once all that could take it has run.
      await new Promise(setImmediate);
      for (const event of ESCAPES) process.off(event, onEscape);
      expect(escaped.map(String), 'what escaped to the process').to.deep.equal([]);
    },
  };
};

/** One double, stores on it, and the client itself. */
export type StoreScene = {
  readonly double: EventStoreDbDouble;
  readonly serving: (timing?: Partial<StoreTiming>) => Promise<StoreOnServer>;
  readonly command: (timing?: Partial<StoreTiming>, streamPrefix?: string) => EventStore;
  readonly client: () => EventStoreDBClient;
  /** Appends by the client itself, to a stream of the ledger's. */
  readonly appendRaw: (stream: StreamName, expected: 'no_stream' | bigint, ...events: NewEvent[]) => Promise<unknown>;
  /** What the log holds of a stream of the ledger's, past the protocol. */
  readonly written: (stream: StreamName) => readonly LoggedEvent[];
  readonly close: () => Promise<void>;
};

/** The name of a stream of the ledger's on the server. */
export const there = (stream: StreamName): string => PREFIX + stream;

export const openScene = async (options: EventStoreDbOptions = {}): Promise<StoreScene> => {
  const double = await startEventStoreDb(options);
  const open = stores();
  const client = open.client(double.url);
  return {
    double,
    serving: (timing) => open.serving(double.url, timing),
    command: (timing, streamPrefix) => open.command(double.url, timing, streamPrefix),
    client: () => client,
    appendRaw: (stream, expected, ...events) =>
      appendWith(client)(
        there(stream),
        expected,
        events.map(({ id, type, data, metadata }) => ({
          contentType: 'application/octet-stream',
          id,
          type,
          data,
          metadata: new Uint8Array(metadata),
        })),
      ),
    written: (stream) => double.log.stream(there(stream))?.events ?? [],
    close: async () => {
      await open.close();
      await double.close();
    },
  };
};

/** An event past the protocol, as another writer has written it. */
export const proposed = (over: Partial<ProposedEvent> = {}): ProposedEvent => ({
  id: anEvent().id,
  type: 'OfAnother',
  contentType: 'application/json',
  data: Buffer.from('{}'),
  metadata: Buffer.from('{}'),
  ...over,
});

export const aStream = (): StreamName => orderStream(anOrderId());
export const at = (revision: number): Revision => branded<Revision>(revision);

/** What an append is answered, whichever it is. */
export const answer = async (
  store: EventStore,
  stream: StreamName,
  expected: ExpectedRevision,
  ...events: readonly [NewEvent, ...NewEvent[]]
): Promise<AppendError | Appended> => E.toUnion(await store.append(stream, expected, events)());

/** An append that succeeds. */
export const append = async (
  store: EventStore,
  stream: StreamName,
  expected: ExpectedRevision,
  ...events: readonly [NewEvent, ...NewEvent[]]
): Promise<Appended> => right(await store.append(stream, expected, events)());

export const lostRace = (actual: ExpectedRevision): AppendError => ({ _tag: 'WrongExpectedRevision', actual });

/** Fails where an answer is anything but that nothing is known, and gives the detail. */
export const unavailableDetail = (given: unknown): string => {
  expect(given).to.include({ _tag: 'StoreUnavailable' });
  return JSON.stringify(given);
};

export const idsOf = (events: readonly { readonly id: string }[]): readonly string[] => events.map(({ id }) => id);

/** All of a log behind a position. */
export const allOf = async (store: EventStore, after: Position | null = null): Promise<readonly RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for await (const event of store.readAll(after)) events.push(right(event));
  return events;
};

export const eventually = (what: string, isSo: () => boolean): Promise<true> =>
  until(WAIT_MS, what, () => Promise.resolve(isSo() ? true : null));

/** How long something takes, in milliseconds, and what comes of it. */
export const timed = async <A>(run: () => Promise<A>): Promise<{ readonly tookMs: number; readonly value: A }> => {
  const since = performance.now();
  const value = await run();
  return { tookMs: performance.now() - since, value };
};

/** Whether something is settled, without waiting for it. */
export const isSettled = (promise: Promise<unknown>): (() => boolean) => {
  let settled = false;
  const settle = (): void => {
    settled = true;
  };
  void promise.then(settle, settle);
  return () => settled;
};
