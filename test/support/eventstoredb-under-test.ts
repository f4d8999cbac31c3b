import { randomUUID } from 'node:crypto';
import { startEventStoreDb } from './eventstoredb/event-store-db-double.ts';

/** A server that tests may write to, under a prefix that no other test has. */
export type EventStoreDbUnderTest = {
  readonly url: string;
  readonly streamPrefix: string;
  readonly close: () => Promise<void>;
};

/** The real server that `TEST_EVENT_STORE_URL` names, where nothing is deleted; else a double of this test's own. */
export const eventStoreDbUnderTest = async (): Promise<EventStoreDbUnderTest> => {
  const streamPrefix = `test-${randomUUID()}-`;
  const url = process.env['TEST_EVENT_STORE_URL'];
  if (url !== undefined) return { url, streamPrefix, close: () => Promise.resolve() };
  const double = await startEventStoreDb();
  return { url: double.url, streamPrefix, close: double.close };
};
