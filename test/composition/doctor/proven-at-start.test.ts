import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { proveSecrets } from '../../../src/composition/doctor/proven-at-start.ts';
import { loadConfig } from '../../../src/config/index.ts';
import { processFixture } from '../../process/process-fixture.ts';
import { accepted } from '../../support/answers.ts';
import { startEventStoreDb, type EventStoreDbDouble } from '../../support/eventstoredb/event-store-db-double.ts';
import { deliver } from '../../support/exchange.ts';
import { onRamp, SECRET } from '../../support/payloads.ts';
import { right } from '../../support/right.ts';
import { until } from '../../support/until.ts';

const SOON_MS = 15_000;
const PAUSES = { firstMs: 20, longestMs: 20 };

describe('secrets that are proved while a ledger starts', () => {
  const ledger = processFixture();
  let double: EventStoreDbDouble;
  beforeEach(async () => {
    double = await startEventStoreDb();
  });
  afterEach(() => double.close());

  /** Takes connections where the store was, and ends them; until one came. */
  const askedInVain = async (): Promise<void> => {
    const server = createServer((socket) => socket.destroy()).listen(double.port, '127.0.0.1');
    await once(server, 'connection');
    server.close();
    await once(server, 'close');
  };

  const envOf = (secrets: string) =>
    ledger.env({ EVENT_STORE_URL: `esdb://127.0.0.1:${double.port}?tls=false`, WEBHOOK_SECRETS: secrets });

  const look = (secrets: string) => {
    const told: string[] = [];
    const { config } = right(loadConfig(envOf(secrets), { generate: false, randomBytes: () => Buffer.alloc(0) }));
    const { close } = proveSecrets(config, Date.now() + SOON_MS, (id) => told.push(id), PAUSES);
    return { told, close };
  };

  it('are asked of the store again where it is away', async () => {
    const { url, stop } = await ledger.serveHere(envOf(`one=${SECRET}`));
    accepted(await deliver(url, onRamp()));
    await stop();
    await double.stop();
    const { told, close } = look(`one=${SECRET}-another`);
    await askedInVain();
    expect(told).to.deep.equal([]);
    await double.start();
    await until(SOON_MS, 'it to be told', () => Promise.resolve(told.length > 0 ? true : null));
    expect(told).to.deep.equal(['one']);
    await close();
  }).timeout(60_000);

  it('are asked no more behind the end of the ledger', async () => {
    await double.stop();
    const { told, close } = look(`one=${SECRET}`);
    await askedInVain();
    await close();
    expect(told).to.deep.equal([]);
  }).timeout(60_000);
});
