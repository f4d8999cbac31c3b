import { existsSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { accepted } from '../support/answers.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { startEventStoreDb } from '../support/eventstoredb/event-store-db-double.ts';
import { readExposition } from '../support/exposition.ts';
import { onRamp } from '../support/payloads.ts';
import type { ServedHere } from '../support/serve-here.ts';
import { until } from '../support/until.ts';
import { FULL_KEY, processFixture } from './process-fixture.ts';

const FIRST = onRamp();

const LEFT = 'the data directory is no longer this ledger’s';
const STOPPED = 'nothing more is acknowledged until the ledger is restarted';

/** A port that nothing listens on. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address === null || typeof address === 'string') reject(new Error('it has no port'));
        else resolve(address.port);
      });
    });
  });

describe('a quiet ledger whose files are taken from under it', () => {
  const ledger = processFixture();

  const logs = ({ out }: ServedHere, text: string) =>
    until(10_000, text, () => Promise.resolve(out().includes(text) ? true : null));

  /** It says so within seconds, before a delivery comes. */
  const saysSo = async (served: ServedHere, problem: string): Promise<void> => {
    const { url } = served;
    await until(10_000, 'it to be not ready', async () => {
      const { status } = await exchange(url, { path: '/readyz' });
      return status === 503 ? true : null;
    });
    await logs(served, STOPPED);
    expect(served.out()).to.include(problem);
    expect(served.out().split(STOPPED)).to.have.length(2);
    const page = readExposition((await exchange(url, { path: '/metrics' })).text);
    expect(page.valueOf('ramp_ledger_ready', {})).to.equal(0);
    expect((await deliver(url, onRamp())).status).to.equal(503);
    // Nor is a repeat acknowledged: the provider would not send again what the next start may lack.
    expect((await deliver(url, FIRST)).status).to.equal(503);
  };

  const served = async (env = {}): Promise<ServedHere> => {
    const here = await ledger.serveHere(ledger.env(env));
    for (const outcome of ['recorded', 'duplicate'])
      expect(accepted(await deliver(here.url, FIRST))).to.include({ outcome });
    return here;
  };
  const doctor = (env = {}) => ledger.command(['doctor'], ledger.env(env));

  it('says of its events that they were moved away, in the log, to probes and doctor', async () => {
    const here = await served();
    renameSync(ledger.inFolder('data', 'events.db'), ledger.inFolder('moved.db'));
    await saysSo(here, 'events.db was removed, moved or exchanged');
    const { status, out } = await doctor();
    expect(status).to.equal(1);
    expect(out).to.include('could take no delivery now');
  }).timeout(60_000);

  it('says of the write-ahead log of its events that it was emptied', async () => {
    const here = await served();
    truncateSync(ledger.inFolder('data', 'events.db-wal'));
    await saysSo(here, 'events.db-wal was overwritten or cut');
  }).timeout(60_000);

  it('says of its locks that they were removed, while the ledger that started on the same files goes on', async () => {
    const here = await served();
    for (const lock of ['ledger.lock', 'events.db.lock', 'read-models.db.lock']) rmSync(ledger.inFolder('data', lock));
    const second = await ledger.serve(ledger.env({ PORT: '0' }));
    await saysSo(here, 'another ledger may serve the same files');
    accepted(await deliver(second.url, onRamp()));
  }).timeout(60_000);

  it('says so where its whole data directory was removed, and doctor says that a ledger without one answers', async () => {
    const PORT = String(await freePort());
    const here = await served({ PORT });
    rmSync(ledger.inFolder('data'), { recursive: true });
    await saysSo(here, 'was removed, moved or exchanged');
    const { status, out } = await doctor({ PORT });
    expect(status).to.equal(1);
    expect(out).to.match(/none serves from this data directory, and a ledger at \S+ could take no delivery/);
  }).timeout(60_000);

  it('puts nothing into a folder that is made in the place of its data directory, not even at its end', async () => {
    const here = await served();
    await logs(here, 'read models serve');
    rmSync(ledger.inFolder('data'), { recursive: true });
    mkdirSync(ledger.inFolder('data'), { mode: 0o700 });
    await logs(here, LEFT);
    await saysSo(here, 'was removed, moved or exchanged');
    await exchange(here.url, { path: '/v1/orders', headers: { authorization: `Bearer ${FULL_KEY}` } });
    await here.stop();
    expect(readdirSync(ledger.inFolder('data'))).to.deep.equal([]);
    expect(here.out().split(LEFT)).to.have.length(2);
    expect(here.out()).to.not.include('"thread":"projections"');
  }).timeout(60_000);

  it('leaves the ledger alone that is begun in the place of its data directory', async () => {
    const here = await served();
    await logs(here, 'read models serve');
    rmSync(ledger.inFolder('data'), { recursive: true });
    const next = await ledger.serve(ledger.env({ PORT: '0' }));
    await logs(here, LEFT);
    accepted(await deliver(next.url, onRamp({ orderId: 'of-the-next' })));
    await until(20_000, 'its order to be listed', async () => {
      const { text } = await exchange(next.url, {
        path: '/v1/orders',
        headers: { authorization: `Bearer ${FULL_KEY}` },
      });
      return text.includes('of-the-next') ? true : null;
    });
    await here.stop();
    expect(existsSync(ledger.inFolder('data', 'ledger.sock'))).to.equal(true);
    expect(next.out()).to.not.match(/"level":[45]0/);
    next.signal('SIGTERM');
    expect((await next.finished).status).to.equal(0);
  }).timeout(60_000);

  it('beside EventStoreDB says of its lock that it was removed, and takes nothing into a spool that another may have', async () => {
    const double = await startEventStoreDb();
    try {
      const here = await served({ EVENT_STORE_URL: double.url });
      rmSync(ledger.inFolder('data', 'ledger.lock'));
      await logs(here, 'another ledger may use the data directory');
      await until(10_000, 'it to be not ready', async () => {
        const { status } = await exchange(here.url, { path: '/readyz' });
        return status === 503 ? true : null;
      });
      await double.stop();
      expect((await deliver(here.url, onRamp())).status).to.equal(503);
      expect(existsSync(ledger.inFolder('data', 'ledger.lock'))).to.equal(false);
    } finally {
      await double.close();
    }
  }).timeout(60_000);

  it('warns once of a link to its events, and goes on: no other ledger opens such a file', async () => {
    const here = await served();
    linkSync(ledger.inFolder('data', 'events.db'), ledger.inFolder('linked.db'));
    await logs(here, 'the events have another name');
    accepted(await deliver(here.url, onRamp()));
    expect((await exchange(here.url, { path: '/readyz' })).status).to.equal(200);
    const { status, out } = await doctor();
    expect(status).to.equal(1);
    expect(out).to.include('has 2 names (hard links)');
  }).timeout(60_000);
});
