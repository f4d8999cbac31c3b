import { eventStoreDbUnderTest } from '../support/eventstoredb-under-test.ts';
import { runs } from '../support/runs.ts';
import { lawsOfMonths } from './laws-of-months.ts';

lawsOfMonths('SQLite', async () => ({ env: {}, close: () => Promise.resolve() }), runs(1));

lawsOfMonths(
  'EventStoreDB',
  async () => {
    const { url, streamPrefix, close } = await eventStoreDbUnderTest();
    return { env: { EVENT_STORE_URL: url, EVENT_STORE_STREAM_PREFIX: streamPrefix }, close };
  },
  runs(1),
);
