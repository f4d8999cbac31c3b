import { expect } from 'chai';
import { eventStoreDbUnderTest } from '../support/eventstoredb-under-test.ts';
import { reconciledLedger } from '../support/reconciled-ledger.ts';

const PATHS = [
  '/v1/statements',
  '/v1/transfers',
  '/v1/reconciliation',
  '/v1/reconciliation/items',
  '/v1/reconciliation/items?state=explained',
  '/v1/reconciliation/items?orderId=o4',
] as const;

describe('statements, transfers, decisions and the match on EventStoreDB', () => {
  it('are answered as on SQLite', async () => {
    const server = await eventStoreDbUnderTest();
    const env = {
      EVENT_STORE_URL: server.url,
      EVENT_STORE_STREAM_PREFIX: server.streamPrefix,
      // A machine that is slow for a second is not to send deliveries to the spool: they are answered otherwise.
      SPOOL_AFTER_MS: '10000',
    };
    const scenes = await Promise.all([reconciledLedger(), reconciledLedger(env)]);
    try {
      for (const path of PATHS) {
        const [embedded, away] = await Promise.all(scenes.map(({ answer }) => answer(path)));
        expect(away, path).to.deep.equal(embedded);
        expect(JSON.stringify(away), path).to.match(/"(?:data|rows)":\[\{/);
      }
    } finally {
      for (const { ledger } of scenes) await ledger.close();
      await server.close();
    }
  });
});
