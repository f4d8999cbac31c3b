import { expect } from 'chai';
import { readSpoolState } from '../../src/event-store/spool/read-spool-state.ts';
import { accepted, refused } from '../support/answers.ts';
import { startEventStoreDb, type EventStoreDbDouble } from '../support/eventstoredb/event-store-db-double.ts';
import { deliver, type Answer } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { expectOnceEach } from '../support/once-each.ts';
import { bodyOf, newOrderId, offRamp, onRamp } from '../support/payloads.ts';
import { PersistentProvider } from '../support/persistent-provider.ts';
import { right } from '../support/right.ts';
import { storedTraces } from '../support/stored-traces.ts';
import { until } from '../support/until.ts';
import { ask, expectOneLine, expectOrderlyEnd, processFixture } from './process-fixture.ts';
import { toldWhileAway } from './told-while-away.ts';

const PASSWORD = 'hush-hush-password';
const WAIT_MS = 15_000;
const LEAST_SPOOL_BYTES = 1_048_576;

const WALK = ['pending', 'orderReceived', 'CryptoReceived', 'fiatDeemed', 'PayoutSuccess'];

describe('a ledger whose EventStoreDB is away', () => {
  const ledger = processFixture();
  let double: EventStoreDbDouble;

  beforeEach(async () => {
    double = await startEventStoreDb();
  });
  afterEach(() => double.close());

  const env = (over: Readonly<Record<string, string>> = {}) =>
    ledger.env({
      EVENT_STORE_URL: `esdb://admin:${PASSWORD}@127.0.0.1:${double.port}?tls=false`,
      LOG_LEVEL: 'trace',
      ...over,
    });
  const spool = () => right(readSpoolState(ledger.inFolder('data', 'spool.db')));
  const spoolEmpty = (): Promise<true> =>
    until(WAIT_MS, 'the spool to be empty', () => Promise.resolve(spool()?.depth === 0 ? true : null));
  const outcomeOf = ({ text }: Answer): unknown => JSON.parse(text);

  it('starts without it, goes on over a kill, and hands over in order when it comes', async () => {
    await double.stop();
    let serving = await ledger.serve(env());
    const written: string[] = [];
    const provider = new PersistentProvider(() => serving.url);
    const orderIds = Array.from({ length: 6 }, () => newOrderId('away'));
    const step = (status: string): Promise<void[]> =>
      Promise.all(
        orderIds.map(async (orderId) => {
          expect(await provider.deliver(bodyOf(offRamp({ orderId, status })))).to.deep.equal({
            outcome: 'spooled',
            orderId,
          });
        }),
      );
    expect((await ask(serving.url, '/readyz')).status).to.equal(200);
    for (const status of WALK.slice(0, 2)) await step(status);
    expect(await provider.deliver(Buffer.from('no JSON'))).to.deep.equal({ outcome: 'spooled', orderId: null });
    const unanswered = await ask(serving.url, `/v1/orders/${orderIds[0] ?? ''}`);
    expect(refused(unanswered, 503, 'store-unavailable').detail).to.not.include(PASSWORD);
    expect(Number(unanswered.headers['retry-after'])).to.be.at.least(1);
    for (const command of ['order', 'audit']) {
      const failed = await ledger.command([command, orderIds[0] ?? ''], env());
      expectOneLine(failed, 1, /EventStoreDB/);
      written.push(failed.err);
    }

    serving.signal('SIGKILL');
    const killed = await serving.finished;
    written.push(killed.out, killed.err);
    expect(spool()).to.include({ depth: provider.spooled });
    serving = await ledger.serve(env());
    expect((await ask(serving.url, '/readyz')).status).to.equal(200);
    for (const status of WALK.slice(2)) await step(status);

    await double.start();
    await spoolEmpty();
    const traces = storedTraces(double.log);
    expectOnceEach(provider.attempts, traces);
    expect(traces).to.have.lengthOf(orderIds.length * WALK.length + 1);
    for (const orderId of orderIds) {
      const types = traces.filter(({ stream }) => stream === `order-${orderId}`).map(({ type }) => type);
      expect(types).to.deep.equal([
        'OffRampPending',
        'OffRampOrderReceived',
        'OffRampCryptoReceived',
        'OffRampFiatDeemed',
        'OffRampPayoutSuccess',
      ]);
    }
    const position = traces.at(-1)?.position ?? '';
    const listed = await until(WAIT_MS, 'the orders', async () => {
      const { status, text } = await ask(serving.url, `/v1/orders?position=${position}`);
      return status === 200 ? text : null;
    });
    expect(at(JSON.parse(listed), 'data')).to.have.lengthOf(orderIds.length);
    serving.signal('SIGTERM');
    const ended = await serving.finished;
    expectOrderlyEnd(ended, ledger.inFolder('data'));
    written.push(ended.out);
    expect(written.join('\n')).to.include('deliveries are spooled').and.to.include('the spool is empty');
    expect(written.join('\n')).to.not.include(PASSWORD);
  }).timeout(60_000);

  it('lists what it listed before where it is started again without it, and nothing that another ledger has left', async () => {
    const listed = async (url: string) => {
      const { status, text } = await ask(url, '/v1/orders');
      return { status, text: status === 200 ? JSON.stringify(at(JSON.parse(text), 'data')) : '' };
    };
    const first = await ledger.serve(env());
    for (const orderId of ['before-1', 'before-2']) accepted(await deliver(first.url, onRamp({ orderId })));
    const before = await until(WAIT_MS, 'two orders', async () => {
      const { text } = await listed(first.url);
      return text.includes('before-1') && text.includes('before-2') ? text : null;
    });
    first.signal('SIGTERM');
    await first.finished;
    await double.stop();
    const again = await ledger.serve(env());
    const after = await until(WAIT_MS, 'the lists', async () => {
      const { status, text } = await listed(again.url);
      return status === 200 ? text : null;
    });
    expect(after).to.equal(before);
    again.signal('SIGTERM');
    await again.finished;

    const others = { READ_MODEL_URL: `sqlite:${ledger.inFolder('data', 'read-models.db')}` };
    const other = await ledger.serve(env({ DATA_DIR: ledger.inFolder('other'), ...others }));
    await until(WAIT_MS, 'a look at the log', () =>
      Promise.resolve(other.out().includes('read models wait for the event store') ? true : null),
    );
    expect((await listed(other.url)).status).to.equal(503);
    other.signal('SIGTERM');
    await other.finished;
  }).timeout(60_000);

  it('says at once of lists that the store is away where it has nothing to believe, and logs the outage as one warning', async () => {
    await double.stop();
    const { url, out, stop } = await ledger.serveHere(env({ LOG_LEVEL: 'info' }));
    const paths = ['/v1/orders', '/v1/reports/onramp', '/v1/audit', '/v1/quarantine', '/v1/exports/orders'];
    for (const path of [...paths, ...paths]) {
      const answer = await ask(url, path);
      expect(refused(answer, 503, 'store-unavailable').detail, path).to.not.include(PASSWORD);
      expect(Number(answer.headers['retry-after']), path).to.be.at.least(1);
    }
    await until(WAIT_MS, 'the tree to be tried', () =>
      Promise.resolve(out().includes('the tree of the log waits for the event store') ? true : null),
    );
    await stop();
    const levels = (out().match(/(?<="level":)\d+/g) ?? []).map(Number);
    expect(levels.filter((level) => level > 30)).to.deep.equal([40]);
  }).timeout(60_000);

  it('lists nothing that was left of another log: by itself, which was told another one since, or by a command of another ledger', async () => {
    const shop = (over: Readonly<Record<string, string>> = {}) => env({ EVENT_STORE_STREAM_PREFIX: 'shop-', ...over });
    const test = (over: Readonly<Record<string, string>> = {}) => env({ EVENT_STORE_STREAM_PREFIX: 'test-', ...over });
    const other = { DATA_DIR: ledger.inFolder('other') };
    const file = { READ_MODEL_URL: `sqlite:${ledger.inFolder('data', 'read-models.db')}` };
    const served = async (its: Readonly<Record<string, string>>, orderId: string): Promise<void> => {
      const { url, stop } = await ledger.serveHere(its);
      accepted(await deliver(url, onRamp({ orderId })));
      await until(WAIT_MS, `${orderId} to be listed`, async () =>
        (await ask(url, '/v1/orders')).text.includes(orderId) ? true : null,
      );
      await stop();
    };
    /** What a start without the store lists once it has looked for the log. */
    const listsAway = async (its: Readonly<Record<string, string>>): Promise<readonly [number, boolean]> => {
      await double.stop();
      const { url, out, stop } = await ledger.serveHere(its);
      await until(WAIT_MS, 'a look at the log', () =>
        Promise.resolve(out().includes('read models wait for the event store') ? true : null),
      );
      const { status, text } = await ask(url, '/v1/orders');
      await stop();
      await double.start();
      return [status, text.includes('of-shop')];
    };
    await served(shop(), 'of-shop');
    await served(test(other), 'of-test');
    // The second time it has served from there last itself, and still not from what lies there.
    for (const its of [test(), test()]) expect(await listsAway(its)).to.deep.equal([503, false]);
    expect(await listsAway(shop())).to.deep.equal([200, true]);

    expect(await ledger.command(['replay'], test({ ...other, ...file }))).to.include({ status: 0 });
    expect(await listsAway(shop())).to.deep.equal([503, false]);
    expect(await ledger.command(['orders', '--json'], shop())).to.include({ status: 0 });
    expect(await listsAway(shop())).to.deep.equal([200, true]);
  }).timeout(90_000);

  it('refuses deliveries that the spool has no room for, says so, and takes them when there is room again', async () => {
    const { url } = await ledger.serveHere(env({ SPOOL_MAX_BYTES: String(LEAST_SPOOL_BYTES) }));
    await double.stop();
    const large = (): Buffer => bodyOf(onRamp({ orderId: newOrderId('large'), note: 'x'.repeat(100_000) }));
    const taken: Buffer[] = [];
    const full = await until(WAIT_MS, 'the spool to be full', async () => {
      const body = large();
      const reply = await deliver(url, body);
      if (reply.status === 202) taken.push(body);
      else return { body, reply };
      return null;
    });
    expect(refused(full.reply, 503, 'not-durable').detail).to.not.include(PASSWORD);
    expect(Number(full.reply.headers['retry-after'])).to.be.at.least(1);
    expect(taken).to.have.length.within(8, 10);
    refused(await ask(url, '/readyz'), 503, 'not-ready');
    expect((await ask(url, '/livez')).status).to.equal(200);

    await double.start();
    await spoolEmpty();
    expect((await ask(url, '/readyz')).status).to.equal(200);
    for (const body of [full.body, large()]) expect((await deliver(url, body)).status).to.be.oneOf([200, 202]);
    await spoolEmpty();
    for (const body of taken) {
      const again = await deliver(url, body);
      expect(outcomeOf(again)).to.include({ outcome: 'duplicate', revision: 0 });
    }
    expect(storedTraces(double.log)).to.have.lengthOf(taken.length + 2);
  }).timeout(40_000);
});

describe('a ledger whose EventStoreDB is frozen', () => {
  toldWhileAway('is frozen');
});
