import { expect } from 'chai';
import { accepted, refused } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { hangingDisk } from '../support/hanging-disk.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { until } from '../support/until.ts';
import { within } from '../support/within.ts';
import { ask, processFixture } from './process-fixture.ts';

/** Silence is told behind five seconds of it. */
const TOLD_WITHIN_MS = 12_000;
const ENDS_WITHIN_MS = 15_000;

const SILENT = /the disk has not answered a write for \d+ s/;

describe('a ledger whose disk hangs', () => {
  const ledger = processFixture();

  it('says so, answers deliveries that wait 503, and has each of them once when the disk answers', async () => {
    const disk = hangingDisk(ledger.inFolder('pipe'), 'events.db');
    const { url, out } = await ledger.serve(ledger.env(disk.env));
    const [first, second, late] = ['1', '2', '3'].map((id) => bodyOf(onRamp({ orderId: id })));
    if (first === undefined || second === undefined || late === undefined) return;
    accepted(await deliver(url, first));
    disk.hang();
    refused(await within(TOLD_WITHIN_MS, deliver(url, second), 'an answer'), 503, 'not-durable');
    refused(await within(TOLD_WITHIN_MS, deliver(url, late), 'an answer'), 503, 'not-durable');
    refused(await ask(url, '/readyz'), 503, 'not-ready');
    expect((await ask(url, '/livez')).status).to.equal(200);
    expect(accepted(await deliver(url, first)).outcome, 'what is durable').to.equal('duplicate');
    expect((await ask(url, '/metrics')).text).to.match(/^ramp_ledger_ready 0$/m);
    const doctor = await ledger.command(['doctor'], ledger.env());
    expect(doctor.status).to.equal(1);
    expect(doctor.out).to.match(SILENT);

    await disk.answer();
    await until(TOLD_WITHIN_MS, 'the ledger to be ready', async () =>
      (await ask(url, '/readyz')).status === 200 ? true : null,
    );
    expect(accepted(await deliver(url, second)).outcome, 'what became durable late').to.equal('duplicate');
    expect(accepted(await deliver(url, late)).outcome, 'what was refused at once').to.equal('recorded');
    const told = (): string[] =>
      out()
        .split('\n')
        .filter((line) => line.includes('the disk of the events'));
    const [silent, answers, ...more] = await until(TOLD_WITHIN_MS, 'both lines of the log', async () =>
      told().length < 2 ? null : told(),
    );
    expect(silent).to.include('"level":50').and.to.match(SILENT);
    expect(answers).to.include('answers again');
    expect(more).to.deep.equal([]);
    const verified = await ledger.command(['verify', '--json'], ledger.env());
    expect(JSON.parse(verified.out)).to.include({ events: 3 }).and.to.deep.include({ failures: [] });
  }).timeout(60_000);

  it('ends when it is told to, though a thread of it stands in the disk, and has lost nothing', async () => {
    const disk = hangingDisk(ledger.inFolder('pipe'), 'events.db');
    const { url, signal, finished } = await ledger.serve(ledger.env(disk.env));
    const body = bodyOf(onRamp({ orderId: 'before' }));
    accepted(await deliver(url, body));
    disk.hang();
    const unanswered = deliver(url, bodyOf(onRamp({ orderId: 'during' }))).then(
      (answer) => answer.status,
      () => null,
    );
    // It is heard before the signal: what is asked on another connection comes behind it.
    expect((await ask(url, '/livez')).status).to.equal(200);
    signal('SIGTERM');
    const { out } = await within(ENDS_WITHIN_MS, finished, 'the end');
    expect(out).to.include('the process kills itself');
    expect(await unanswered).to.not.equal(200);

    const again = await ledger.serveHere(ledger.env());
    expect(accepted(await deliver(again.url, body)).outcome).to.equal('duplicate');
  }).timeout(60_000);
});
