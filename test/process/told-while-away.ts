import { expect } from 'chai';
import { readSpoolState } from '../../src/event-store/spool/read-spool-state.ts';
import { startEventStoreDb, type EventStoreDbDouble } from '../support/eventstoredb/event-store-db-double.ts';
import { expectOnceEach } from '../support/once-each.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { PersistentProvider } from '../support/persistent-provider.ts';
import { right } from '../support/right.ts';
import { storedTraces } from '../support/stored-traces.ts';
import { until } from '../support/until.ts';
import { within } from '../support/within.ts';
import { expectOrderlyEnd, processFixture } from './process-fixture.ts';

const PASSWORD = 'hush-hush-password';
const WAIT_MS = 15_000;
/** docs/spec/receiving.md, Shutdown. */
const ENDS_WITHIN_MS = 10_000;

const OUTAGES = {
  'refuses connections': (double: EventStoreDbDouble) => double.stop(),
  'is silent': (double: EventStoreDbDouble) => double.faults.silence(),
  'is frozen': (double: EventStoreDbDouble) => double.faults.freeze(),
  'is not ready': (double: EventStoreDbDouble) => double.faults.refuseAll({ _tag: 'NotReady' }),
};

/** A ledger that ends in order while its EventStoreDB is away, and keeps what it took. */
export const toldWhileAway = (away: keyof typeof OUTAGES): void => {
  const ledger = processFixture();
  let double: EventStoreDbDouble;

  beforeEach(async () => {
    double = await startEventStoreDb();
  });
  afterEach(() => double.close());

  const env = () =>
    ledger.env({
      EVENT_STORE_URL: `esdb://admin:${PASSWORD}@127.0.0.1:${double.port}?tls=false`,
      LOG_LEVEL: 'trace',
    });
  const spool = () => right(readSpoolState(ledger.inFolder('data', 'spool.db')));
  const spoolEmpty = (): Promise<true> =>
    until(WAIT_MS, 'the spool to be empty', () => Promise.resolve(spool()?.depth === 0 ? true : null));

  it(`is told to stop while it ${away}, ends in time, and has what it took`, async () => {
    const { url, signal, finished } = await ledger.serve(env());
    const provider = new PersistentProvider(() => url);
    await provider.deliver(bodyOf(onRamp()));
    await OUTAGES[away](double);
    // What the store does not answer is under way when the signal comes; it is answered, or cut off and not kept.
    const underWay = Promise.allSettled([0, 1, 2].map(() => provider.deliver(bodyOf(onRamp()))));
    await until(WAIT_MS, 'deliveries under way', () => Promise.resolve(provider.isWaiting ? true : null));
    signal('SIGTERM');
    const ended = await within(ENDS_WITHIN_MS, finished, 'the end');
    provider.end();
    await underWay;
    expectOrderlyEnd(ended, ledger.inFolder('data'));
    expect(ended.out).to.not.include(PASSWORD);
    expect(spool()?.depth ?? 0).to.be.at.least(provider.spooled);

    double.faults.clear();
    await double.start();
    const again = await ledger.serveHere(env());
    await spoolEmpty();
    const later = new PersistentProvider(() => again.url);
    for (const body of new Set(provider.attempts.map((attempt) => attempt.body))) await later.deliver(body);
    expectOnceEach([...provider.attempts, ...later.attempts], storedTraces(double.log));
  }).timeout(40_000);
};
