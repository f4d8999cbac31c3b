import { expect } from 'chai';
import { accepted } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { hangingDisk } from '../support/hanging-disk.ts';
import { onRamp } from '../support/payloads.ts';
import { until } from '../support/until.ts';
import { within } from '../support/within.ts';
import { ask, processFixture } from './process-fixture.ts';

/** Silence of a thread is told behind fifteen seconds of it. */
const TOLD_WITHIN_MS = 40_000;

describe('a ledger whose read models’ disk hangs', () => {
  const ledger = processFixture();

  const namesTheSilent = async (thread: string, path: string): Promise<void> => {
    const disk = hangingDisk(ledger.inFolder('pipe'), { thread });
    const { url, out } = await ledger.serve(ledger.env(disk.env));
    accepted(await deliver(url, onRamp({ orderId: 'before' })));
    // What stands while they are built for the first time holds up the building.
    await until(TOLD_WITHIN_MS, 'the read models', () =>
      Promise.resolve(out().includes('read models serve') ? true : null),
    );
    // It has begun by then; what it prepares for a list it would have.
    if (thread === 'streams') expect((await ask(url, path)).status).to.equal(200);
    disk.hang();
    // Whoever asks may give up before; the thread stands all the same.
    const asked = ask(url, path).catch(() => null);
    await until(TOLD_WITHIN_MS, 'the thread to be named', async () => {
      const { status, text } = await ask(url, '/readyz');
      expect(status).to.equal(200);
      return text === `{"status":"ready","threadsDown":["${thread}"]}` ? true : null;
    });
    accepted(await deliver(url, onRamp({ orderId: 'during' })));
    expect((await ask(url, '/metrics')).text).to.include(`\nramp_ledger_thread_up{thread="${thread}"} 0\n`);
    const doctor = await ledger.command(['doctor'], ledger.env());
    expect(doctor.status).to.equal(1);
    expect(doctor.out).to.include(`"${thread}"`).and.to.include('answers nothing');

    await disk.answer();
    await within(TOLD_WITHIN_MS, asked, 'the end of the question');
    expect((await ask(url, path)).status).to.equal(200);
    await until(TOLD_WITHIN_MS, 'nothing to be named', async () =>
      (await ask(url, '/readyz')).text === '{"status":"ready"}' ? true : null,
    );
    const told = (): string[] =>
      out()
        .split('\n')
        .filter((line) => /"a thread answers/.test(line));
    const [silent, answers, ...more] = await until(TOLD_WITHIN_MS, 'both lines of the log', () =>
      Promise.resolve(told().length < 2 ? null : told()),
    );
    expect(silent).to.include('"level":40').and.to.include(`"thread":"${thread}"`).and.to.include('"since":');
    expect(answers).to.include('answers again').and.to.include('"seconds":');
    expect(more).to.deep.equal([]);
  };

  for (const [thread, path] of [
    ['queries', '/v1/orders'],
    ['streams', '/v1/exports/orders?format=csv'],
  ] as const)
    it(`says that the thread ${thread} answers nothing wherever it is asked, takes deliveries, and answers once the disk does`, () =>
      namesTheSilent(thread, path)).timeout(150_000);
});
