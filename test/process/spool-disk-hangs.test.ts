import { expect } from 'chai';
import { readSpoolState } from '../../src/event-store/spool/read-spool-state.ts';
import { accepted, refused } from '../support/answers.ts';
import { startEventStoreDb, type EventStoreDbDouble } from '../support/eventstoredb/event-store-db-double.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { hangingDisk, type HangingDisk } from '../support/hanging-disk.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { storedTraces } from '../support/stored-traces.ts';
import { until } from '../support/until.ts';
import { within } from '../support/within.ts';
import { ask, processFixture } from './process-fixture.ts';

const WAIT_MS = 15_000;
/** Silence is told behind five seconds of it. */
const TOLD_WITHIN_MS = 12_000;
const ENDS_WITHIN_MS = 15_000;
const DRAINED_WITHIN_MS = 60_000;
const AT_ONCE_MS = 100;
const SENDERS = 16;
const MOST_SENT = 2_000;

const SILENT = /spool\.db: the disk has not answered for \d+ s/;

const about = (orderId: string): Buffer => bodyOf(onRamp({ orderId }));

describe('a ledger whose EventStoreDB is away, and', () => {
  const ledger = processFixture();
  let double: EventStoreDbDouble;
  let disk: HangingDisk;
  beforeEach(async () => {
    double = await startEventStoreDb();
    await double.stop();
    disk = hangingDisk(ledger.inFolder('pipe'), 'spool.db');
  });
  afterEach(() => double.close());

  const env = (over = {}) => ledger.env({ EVENT_STORE_URL: double.url, ...over });
  const spool = () => right(readSpoolState(ledger.inFolder('data', 'spool.db')));
  const spoolIsEmpty = (): Promise<true> =>
    until(DRAINED_WITHIN_MS, 'the spool to be empty', () => Promise.resolve(spool()?.depth === 0 ? true : null));
  /** Streams of the log, one for each event. */
  const logged = () => storedTraces(double.log).map(({ stream }) => stream);

  it('whose spool waits long for its disk answers all else at once meanwhile', async () => {
    const { url } = await ledger.serve(env(disk.env));
    expect((await deliver(url, about('first'))).status).to.equal(202);
    disk.hang();
    let isAnswered = false;
    const waiting = deliver(url, about('second')).finally(() => {
      isAnswered = true;
    });
    const tookMs: number[] = [];
    for (let question = 0; question < 20; question += 1) {
      const askedAt = performance.now();
      const { status } = await within(TOLD_WITHIN_MS, exchange(url, { path: '/livez' }), 'an answer of /livez');
      tookMs.push(performance.now() - askedAt);
      expect(status).to.equal(200);
    }
    expect(isAnswered, 'the delivery, before its commit').to.equal(false);
    // The machine may be busy, the thread is not.
    expect(Math.min(...tookMs)).to.be.below(AT_ONCE_MS);
    await disk.answer();
    expect((await waiting).status).to.equal(202);
    expect(spool()).to.include({ depth: 2 });
  }).timeout(60_000);

  it('whose spool’s disk hangs says so, gives deliveries to the store once it is there, and has each of them once', async () => {
    const { url, out } = await ledger.serve(env(disk.env));
    expect((await deliver(url, about('first'))).status).to.equal(202);
    disk.hang();
    refused(await within(TOLD_WITHIN_MS, deliver(url, about('late')), 'an answer'), 503, 'not-durable');
    refused(await within(TOLD_WITHIN_MS, deliver(url, about('refused')), 'an answer'), 503, 'not-durable');
    refused(await ask(url, '/readyz'), 503, 'not-ready');
    expect((await ask(url, '/livez')).status).to.equal(200);
    expect((await ask(url, '/metrics')).text).to.match(/^ramp_ledger_ready 0$/m);
    expect((await ledger.command(['doctor'], env())).out).to.match(SILENT);

    await double.start();
    await until(WAIT_MS, 'the store to take a delivery', async () =>
      (await deliver(url, about('meanwhile'))).status === 200 ? true : null,
    );
    await disk.answer();
    await spoolIsEmpty();
    // What was answered 503 and became durable all the same was appended; what never went to the disk was not.
    expect(logged().toSorted()).to.deep.equal(['order-first', 'order-late', 'order-meanwhile']);
    expect(accepted(await deliver(url, about('late'))).outcome).to.equal('duplicate');
    expect((await ask(url, '/readyz')).status).to.equal(200);
    const told = await until(WAIT_MS, 'both lines of the log', () => {
      const lines = out()
        .split('\n')
        .filter((line) => line.includes('the disk of the spool'));
      return Promise.resolve(lines.length < 2 ? null : lines);
    });
    expect(told).to.have.length(2);
    expect(told[0])
      .to.include('"level":50')
      .and.to.match(/has not answered for \d+ s/);
    expect(told[1]).to.include('answers again');
  }).timeout(90_000);

  it('whose spool’s disk hangs ends when it is told to, and has lost nothing', async () => {
    const { url, signal, finished } = await ledger.serve(env(disk.env));
    expect((await deliver(url, about('before'))).status).to.equal(202);
    disk.hang();
    const unanswered = deliver(url, about('during')).then(
      ({ status }) => status,
      () => null,
    );
    expect((await ask(url, '/livez')).status).to.equal(200);
    signal('SIGTERM');
    const { out } = await within(ENDS_WITHIN_MS, finished, 'the end');
    expect(out).to.include('the process kills itself');
    expect(await unanswered).to.not.equal(202);

    await double.start();
    await ledger.serveHere(env());
    await spoolIsEmpty();
    expect(logged()).to.include('order-before');
  }).timeout(60_000);

  it('that is killed while it spools has all that it answered 202, once', async () => {
    const { url, signal, finished } = await ledger.serve(env());
    const spooled: string[] = [];
    let sent = 0;
    const send = async (): Promise<void> => {
      while (sent < MOST_SENT) {
        sent += 1;
        const id = `order ${sent}`;
        const answer = await deliver(url, about(id)).catch(() => null);
        if (answer === null) return;
        if (answer.status === 202) spooled.push(id);
        if (spooled.length === 300) signal('SIGKILL');
      }
    };
    const sending = Promise.all(Array.from({ length: SENDERS }, send));
    await within(DRAINED_WITHIN_MS, finished, 'the kill');
    await sending;
    expect(sent).to.be.below(MOST_SENT);
    expect(spool()?.depth ?? 0).to.be.at.least(spooled.length);
    await double.start();
    await ledger.serveHere(env());
    await spoolIsEmpty();
    const streams = logged();
    expect(new Set(streams).size, 'each once').to.equal(streams.length);
    expect(spooled.filter((id) => !streams.includes(`order-${id}`))).to.deep.equal([]);
  }).timeout(180_000);
});
