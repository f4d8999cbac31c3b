import { lawsOfMonths } from '../periods/laws-of-months.ts';
import { eventStoreDbUnderTest } from '../support/eventstoredb-under-test.ts';

lawsOfMonths(
  'EventStoreDB',
  async () => {
    const { url, streamPrefix, close } = await eventStoreDbUnderTest();
    return { env: { EVENT_STORE_URL: url, EVENT_STORE_STREAM_PREFIX: streamPrefix }, close };
  },
  2,
);
