import { expect } from 'chai';
import * as t from 'io-ts';
import { eventLog } from '../../support/eventstoredb/event-log.ts';
import { startEventStoreDb } from '../../support/eventstoredb/event-store-db-double.ts';
import { bodyOf, onRamp, SECRET } from '../../support/payloads.ts';
import { PersistentProvider } from '../../support/persistent-provider.ts';
import { API_KEY, SCOPES } from '../../support/running-ledger.ts';
import { serveHere } from '../../support/serve-here.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { until } from '../../support/until.ts';

const WAIT_MS = 15_000;
const Orders = t.type({ data: t.array(t.type({ orderId: t.string })) });

describe('an EventStoreDB that is put back from a backup while a ledger serves', () => {
  it('is what lists show, what repeats are recorded in again, and what nothing more is signed of', async () => {
    const folder = temporaryFolder();
    const logs = [eventLog(), eventLog()] as const;
    let double = await startEventStoreDb({ log: logs[0] });
    const { port } = double;
    const ledger = await serveHere({
      DATA_DIR: folder.path,
      EVENT_STORE_URL: double.url,
      WEBHOOK_SECRETS: `primary=${SECRET}`,
      API_KEYS: `test:${SCOPES}=${API_KEY}`,
    });
    const get = async (path: string): Promise<Response> =>
      fetch(`${ledger.url}${path}`, { headers: { authorization: `Bearer ${API_KEY}` } });
    const listed = async (): Promise<readonly string[]> => {
      const answer: unknown = await (await get('/v1/orders')).json();
      return Orders.is(answer) ? answer.data.map(({ orderId }) => orderId).toSorted() : [];
    };
    const shows = (...orders: readonly string[]) =>
      until(WAIT_MS, `orders ${orders.join()}`, async () => ((await listed()).join() === orders.join() ? true : null));
    const provider = new PersistentProvider(() => ledger.url);
    const deliver = (orderId: string): Promise<unknown> => provider.deliver(bodyOf(onRamp({ orderId })));
    try {
      for (const orderId of ['a', 'b', 'c']) await deliver(orderId);
      await shows('a', 'b', 'c');
      // Of fewer, the log that is put back may have all.
      await until(WAIT_MS, 'a checkpoint of all three', async () =>
        (await (await get('/v1/log/checkpoint')).text()).split('\n')[1] === '3' ? true : null,
      );
      // The backup has the first order, and others were written behind it where those that are lost stood.
      const [first] = logs[0].userEvents();
      if (first === undefined) expect.fail('no event');
      logs[1].write(first.stream, [first]);
      await double.close();
      double = await startEventStoreDb({ port, log: logs[1] });
      await shows('a');
      await deliver('b');
      await deliver('d');
      await shows('a', 'b', 'd');
      await until(WAIT_MS, 'the loss to be known', async () =>
        (await (await get('/v1/log/checkpoint')).text()).includes('history-lost') ? true : null,
      );
      expect(logs[1].userEvents().map(({ stream }) => stream)).to.deep.equal(['order-a', 'order-b', 'order-d']);
    } finally {
      provider.end();
      await ledger.stop();
      await double.close();
      folder.remove();
    }
  }).timeout(60_000);
});
