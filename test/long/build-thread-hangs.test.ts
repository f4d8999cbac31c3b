import { mkdirSync } from 'node:fs';
import { expect } from 'chai';
import { accepted } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { fillLedger } from '../support/filled-ledger.ts';
import { hangingDisk } from '../support/hanging-disk.ts';
import { onRamp } from '../support/payloads.ts';
import { until } from '../support/until.ts';
import { ask, processFixture } from '../process/process-fixture.ts';

/** A build of fewer needs no threads. */
const ORDERS = 1_700;

/** Silence of what builds is told behind two minutes of it. */
const TOLD_WITHIN_MS = 180_000;

describe('a ledger of whose threads that build read models one hangs', () => {
  const ledger = processFixture();

  it('names it wherever it is asked, takes deliveries meanwhile, and has the read models when the disk answers', async () => {
    const dataDir = ledger.inFolder('data');
    mkdirSync(dataDir, { mode: 0o700 });
    await fillLedger({ dataDir, file: ledger.inFolder('data', 'events.db') }, ORDERS);
    const disk = hangingDisk(ledger.inFolder('pipe'), { thread: 'build' });
    disk.hang();
    const { url, out } = await ledger.serve(ledger.env(disk.env));
    accepted(await deliver(url, onRamp({ orderId: 'during' })));
    await until(TOLD_WITHIN_MS, 'the thread to be named', async () => {
      const { text } = await ask(url, '/readyz');
      return text === '{"status":"ready","threadsDown":["build"]}' ? true : null;
    });
    expect((await ask(url, '/metrics')).text).to.include('\nramp_ledger_thread_up{thread="build"} 0\n');
    const doctor = await ledger.command(['doctor'], ledger.env());
    expect(doctor.out).to.include('"build"').and.to.include('answers nothing');
    expect(out()).to.not.include('read models serve');
    const answers = async (): Promise<true | null> => {
      // It fails where no thread stands at the disk yet, and once it has answered: what counts is asked for below.
      await disk.answer().catch(() => undefined);
      return out().includes('read models serve') ? true : null;
    };
    await until(TOLD_WITHIN_MS, 'the read models', answers);
    await until(TOLD_WITHIN_MS, 'nothing to be named', async () =>
      (await ask(url, '/readyz')).text === '{"status":"ready"}' ? true : null,
    );
  }).timeout(290_000);
});
