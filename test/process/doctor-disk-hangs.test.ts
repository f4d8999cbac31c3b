import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { deliver } from '../support/exchange.ts';
import type { LedgerEnvironment } from '../support/ledger-process.ts';
import { onRamp } from '../support/payloads.ts';
import { within } from '../support/within.ts';
import { processFixture } from './process-fixture.ts';

/** It has eight seconds for files, and its processes begin beside other tests. */
const ENDS_WITHIN_MS = 40_000;

const HANG_AT_FILE = fileURLToPath(new URL('../support/hang-at-file.cjs', import.meta.url));

describe('doctor, where a file of the ledger does not answer', () => {
  const ledger = processFixture();

  const pipe = (path: string): void => {
    execFileSync('mkfifo', ['-m', '600', path]);
  };

  /** Files of the data directory that are there, and whose disk hangs. */
  const hangingAt = (...names: readonly string[]): LedgerEnvironment => {
    pipe(ledger.inFolder('disk'));
    for (const name of names) writeFileSync(ledger.inFolder('data', name), '', { mode: 0o600 });
    return {
      NODE_OPTIONS: `--require ${HANG_AT_FILE}`,
      HANGING_DISK: ledger.inFolder('disk'),
      HANGING_FILES: names.join(','),
    };
  };

  const checksOf = (out: string): ReadonlyMap<string, string> =>
    new Map(
      [...out.matchAll(/^(?:ok|WRONG) +(\w+(?: \w+)*) {2,}(.*)$/gm)].map(([, name = '', detail = '']) => [
        name,
        detail,
      ]),
    );

  it('ends, names what did not, and says how the ledger that serves is and all else', async () => {
    const { url } = await ledger.serve(ledger.env());
    expect((await deliver(url, onRamp())).status).to.equal(200);
    const env = ledger.env({ PORT: '0', ...hangingAt('spool.db') });
    const { out, status } = await within(ENDS_WITHIN_MS, ledger.run(['doctor'], env), 'doctor');
    const checks = checksOf(out);
    expect(checks.get('spool')).to.match(/^what DATA_DIR names could not be looked at: no answer within 2\.0 s/);
    expect(checks.get('ledger')).to.match(/could take a delivery now/);
    expect(checks.get('event store')).to.match(/^sqlite:/);
    expect(checks.get('read models')).to.match(/^generation \d+ serves|^none yet/);
    expect(status, 'and not by a signal').to.equal(1);
  }).timeout(60_000);

  it('ends though more than one does not', async () => {
    mkdirSync(ledger.inFolder('data'), { mode: 0o700 });
    const env = ledger.env(hangingAt('spool.db', 'arrivals.json'));
    const { out, status } = await within(ENDS_WITHIN_MS, ledger.run(['doctor'], env), 'doctor');
    const checks = checksOf(out);
    expect(checks.get('spool')).to.match(/could not be looked at/);
    for (const name of ['data directory', 'deliveries', 'checkpoints', 'disk']) {
      expect(checks.get(name)).to.match(/^what DATA_DIR names could not be looked at/);
    }
    expect(checks.get('event store')).to.match(/first start makes it/);
    expect(status).to.equal(1);
  }).timeout(60_000);

  it('names pipes in the place of files, with what to do, and waits at none', async () => {
    const names = ['events.db', 'log-keys', 'arrivals.json', 'spool.db', 'read-models.db'];
    mkdirSync(ledger.inFolder('data'), { mode: 0o700 });
    for (const name of names) pipe(ledger.inFolder('data', name));
    const { out, status } = await within(ENDS_WITHIN_MS, ledger.run(['doctor'], ledger.env()), 'doctor');
    for (const name of names) expect(out).to.include(`${ledger.inFolder('data', name)} is a pipe or a device`);
    expect(out).to.include(`move ${ledger.inFolder('data', 'log-keys')} away`);
    expect(out).not.to.include('no answer');
    expect(status).to.equal(1);
  }).timeout(60_000);
});
