import { expect } from 'chai';
import { deliver } from '../support/exchange.ts';
import { startEventStoreDb, type EventStoreDbDouble } from '../support/eventstoredb/event-store-db-double.ts';
import { bodyOf, newOrderId, onRamp } from '../support/payloads.ts';
import { until } from '../support/until.ts';
import { ask, processFixture } from '../process/process-fixture.ts';

const EVENTS = 40;

describe('the log of two ledgers on one EventStoreDB', () => {
  const ledger = processFixture();
  let server: EventStoreDbDouble;
  before(async () => {
    server = await startEventStoreDb();
  });
  after(() => server.close());

  it('is the same tree for both, and an order has its evidence from each', async () => {
    const env = (name: string) =>
      ledger.env({
        DATA_DIR: ledger.inFolder(name),
        LEDGER_ORIGIN: `log.example/${name}`,
        EVENT_STORE_URL: server.url,
        // A machine that is slow for a second is not to send deliveries to the spools.
        SPOOL_AFTER_MS: '10000',
      });
    const [one, two] = [await ledger.serve(env('one')), await ledger.serve(env('two'))];
    const orders = Array.from({ length: EVENTS }, () => newOrderId('tree'));
    await Promise.all(
      orders.map(async (orderId, i) => {
        const answer = await deliver(i % 2 === 0 ? one.url : two.url, bodyOf(onRamp({ orderId })));
        expect(answer.status).to.equal(200);
      }),
    );
    const rootOf = (url: string): Promise<string> =>
      until(30_000, 'a checkpoint of all events', async () => {
        const [, size, root] = (await ask(url, '/v1/log/checkpoint')).text.split('\n');
        return Number(size) === EVENTS ? (root ?? null) : null;
      });
    expect(await rootOf(one.url)).to.equal(await rootOf(two.url));
    for (const { url } of [one, two]) {
      const answer = await ask(url, `/v1/orders/${orders[EVENTS - 1] ?? ''}/evidence`);
      expect([answer.status, answer.headers['content-type']]).to.deep.equal([200, 'application/zip']);
    }
  });
});
