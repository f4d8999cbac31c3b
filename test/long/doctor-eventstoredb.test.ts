import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { diagnose } from '../../src/composition/doctor/diagnose.ts';
import { branded } from '../../src/domain/brand.ts';
import type { RequestId } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import { systemClock } from '../../src/telemetry/system-clock.ts';
import { startEventStoreDbProcess, type EventStoreDbProcess } from '../support/eventstoredb/event-store-db-process.ts';
import { deliver } from '../support/exchange.ts';
import { bodyOf, onRamp, signatureOf, verifiedDelivery } from '../support/payloads.ts';
import { openSpoolHere } from '../support/spool-here.ts';
import { right } from '../support/right.ts';
import { until } from '../support/until.ts';
import { within } from '../support/within.ts';
import { processFixture } from '../process/process-fixture.ts';

const LONGEST_MS = 10_000;

describe('doctor on EventStoreDB', () => {
  const ledger = processFixture();
  let server: EventStoreDbProcess;
  beforeEach(async () => {
    server = await startEventStoreDbProcess();
  });
  afterEach(() => server.end());

  const env = () =>
    ledger.env({
      EVENT_STORE_URL: server.url.replace('//', '//ledger:hush-hush@'),
      EVENT_STORE_STREAM_PREFIX: 'shop-',
    });

  /** What was found, by name, and the names of what is wrong. */
  const look = async () => {
    const checks = await within(LONGEST_MS, diagnose(env(), systemClock()), 'doctor');
    expect(JSON.stringify(checks)).to.not.include('hush-hush');
    return {
      wrong: checks.filter(({ ok }) => !ok).map(({ name }) => name),
      found: new Map(checks.map((check) => [check.name, check])),
    };
  };

  it('tells how the server is, what waits for it, and that all is well again', async () => {
    expect((await look()).wrong).to.deep.equal([]);
    const { url, signal, finished } = await ledger.serve(env());
    expect((await deliver(url, onRamp({ orderId: 'ord-1' }))).status).to.equal(200);
    const { found } = await until(15_000, 'the read models to include it', async () => {
      const seen = await look();
      expect(seen.wrong).to.deep.equal([]);
      return /include the whole log/.test(seen.found.get('read models')?.detail ?? '') ? seen : null;
    });
    expect(found.get('event store')?.detail).to.match(
      /^esdb:\/\/127\.0\.0\.1:\d+, streams .*shop-.*version .*\n1 event,/,
    );
    expect(found.get('webhook secrets')?.detail).to.match(/primary: accepted, last used/);

    server.freeze();
    const frozen = await look();
    server.thaw();
    expect(frozen.wrong).to.deep.equal(['event store']);
    expect(frozen.found.get('event store')?.cure).to.match(/EVENT_STORE_URL/);

    await server.kill();
    expect((await deliver(url, onRamp({ orderId: 'ord-2' }))).status).to.equal(202);
    const gone = await look();
    expect(gone.wrong).to.deep.equal(['event store', 'spool']);
    expect(gone.found.get('spool')?.detail).to.match(/answered 202: 1 delivery, the oldest for/);
    expect(gone.found.get('spool')?.cure).to.match(/bring the event store back/);
    signal('SIGTERM');
    await finished;
  }).timeout(90_000);

  it('names each delivery that was set aside, without a byte of its body', async () => {
    const { signal, finished } = await ledger.serve(env());
    signal('SIGTERM');
    await finished;
    const spool = right(await openSpoolHere(ledger.inFolder('data', 'spool.db')));
    const body = bodyOf(onRamp({ orderId: 'ord-9' }));
    const verified = verifiedDelivery(body, {
      signature: signatureOf(body),
      requestId: branded<RequestId>('request-9'),
    });
    const note = { problem: 'the stream was deleted for good', at: instantOf(0) };
    expect(E.isRight(await spool.putAside(verified, 'order-ord-9', note)())).to.equal(true);
    await spool.close();
    const { wrong, found } = await look();
    expect(wrong).to.deep.equal(['set aside']);
    const { detail, cure } = found.get('set aside') ?? { detail: '', cure: '' };
    expect(detail).to.match(/1 delivery for good.*\n1: order-ord-9: the stream was deleted for good$/);
    expect(cure).to.match(/docs\/operating\.md/);
    expect(JSON.stringify([...found.values()])).to.not.include('example.com');
  }).timeout(60_000);
});
