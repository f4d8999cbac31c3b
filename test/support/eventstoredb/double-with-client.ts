import { randomUUID } from 'node:crypto';
import {
  binaryEvent,
  EventStoreDBClient,
  StreamNotFoundError,
  type AppendExpectedRevision,
  type AppendResult,
  type EventData,
} from '@eventstore/db-client';
import { until } from '../until.ts';
import { startEventStoreDb, type EventStoreDbDouble, type EventStoreDbOptions } from './event-store-db-double.ts';

/** Which call takes an append, and after how many milliseconds it gives up (the batch call: only the server does). */
type AppendOptions = { readonly call?: 'unary' | 'batch'; readonly deadline?: number };

type Append = (
  stream: string,
  expected: AppendExpectedRevision,
  events: readonly EventData[],
  options?: AppendOptions,
) => Promise<AppendResult>;

type DoubleWithClient = {
  readonly double: EventStoreDbDouble;
  readonly client: EventStoreDBClient;
  readonly append: Append;
  readonly close: () => Promise<void>;
};

const CONNECTED_MS = 10_000;
/** A server without security ignores them; the client takes the unary call wherever there are any. */
const CREDENTIALS = { username: 'anyone', password: 'anything' };

/** Appends by the unary call unless told otherwise. */
export const appendWith =
  (client: EventStoreDBClient): Append =>
  (stream, expected, events, { call = 'unary', deadline } = {}) =>
    client.appendToStream(stream, [...events], {
      expectedRevision: expected,
      ...(deadline === undefined ? {} : { deadline }),
      ...(call === 'unary' ? { credentials: CREDENTIALS } : {}),
    });

export const testEvent = (id: string = randomUUID(), data = 'data'): EventData =>
  binaryEvent({ id, type: 'test-event', data: Buffer.from(data) });

/** Resolves when the client has found its way back to a server: what a server ends it sees late, and some calls fail. */
export const reconnected = async (client: EventStoreDBClient): Promise<void> => {
  await until(CONNECTED_MS, 'the client to be connected again', async () => {
    const read = client.readStream('reconnected', { maxCount: 1 });
    try {
      for await (const event of read) if (event.event !== undefined) return true;
      return true;
    } catch (error) {
      return error instanceof StreamNotFoundError ? true : null;
    } finally {
      await read.cancel();
    }
  });
};

/** The error that a promise is rejected with; one that is fulfilled fails the test. */
export const rejection = async (promise: Promise<unknown>): Promise<Error> => {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error('expected a rejection');
};

/** A double and a client of it, for one test or one suite. */
export const doubleWithClient = async (options: EventStoreDbOptions = {}): Promise<DoubleWithClient> => {
  const double = await startEventStoreDb(options);
  const client = EventStoreDBClient.connectionString(double.url);
  return {
    double,
    client,
    append: appendWith(client),
    close: async () => {
      await client.dispose();
      await double.close();
    },
  };
};
