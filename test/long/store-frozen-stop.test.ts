import { expect } from 'chai';
import { startEventStoreDbProcess, type EventStoreDbProcess } from '../support/eventstoredb/event-store-db-process.ts';
import { exchange } from '../support/exchange.ts';
import { bodyOf, onRamp, signatureOf } from '../support/payloads.ts';
import { liveStream } from '../support/live-stream.ts';
import { until } from '../support/until.ts';
import { within } from '../support/within.ts';
import { ask, FULL_KEY, processFixture } from '../process/process-fixture.ts';

/** docs/spec/receiving.md, Shutdown. */
const ENDS_WITHIN_MS = 10_000;

describe('a ledger whose event store is frozen', () => {
  const ledger = processFixture();
  let server: EventStoreDbProcess;
  beforeEach(async () => {
    server = await startEventStoreDbProcess();
  });
  afterEach(() => server.end());

  const deliver = (url: string, orderId: string) => {
    const body = bodyOf(onRamp({ orderId }));
    const headers = { 'content-type': 'application/json', 'x-service-signature': signatureOf(body) };
    return exchange(url, { path: '/v1/webhooks', method: 'POST', headers, body });
  };

  it('ends promptly, without a complaint of its read models, and keeps what waits', async () => {
    const env = ledger.env({ EVENT_STORE_URL: server.url });
    const serving = await ledger.serve(env);
    expect((await deliver(serving.url, 'before')).status).to.equal(200);
    await until(10_000, 'read models to serve', () =>
      Promise.resolve(serving.out().includes('read models serve') ? true : null),
    );
    const live = await liveStream(serving.url, FULL_KEY, '0');
    server.freeze();
    // It reads from the store until it is cut off.
    const reading = ask(serving.url, '/v1/exports/audit/manifest').catch(() => null);
    expect((await deliver(serving.url, 'meanwhile')).status).to.equal(202);
    serving.signal('SIGTERM');
    const { status, err, out } = await within(ENDS_WITHIN_MS, serving.finished, 'the end');
    expect({ status, err }).to.deep.equal({ status: 0, err: '' });
    expect(out.slice(out.indexOf('"stopping"')))
      .to.include('"stopped"')
      .and.not.include('fell behind');
    await Promise.all([reading, live.ended()]);
    server.thaw();
    const again = await ledger.serve(env);
    await until(10_000, 'what waited to be appended', () =>
      Promise.resolve(again.out().includes('the spool is empty') ? true : null),
    );
  }).timeout(60_000);
});
