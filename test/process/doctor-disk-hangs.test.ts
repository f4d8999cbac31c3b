import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { expect } from 'chai';
import { deliver } from '../support/exchange.ts';
import { onRamp } from '../support/payloads.ts';
import { within } from '../support/within.ts';
import { processFixture } from './process-fixture.ts';

/** It has eight seconds for files, and its processes begin beside other tests. */
const ENDS_WITHIN_MS = 40_000;

/** Whoever opens a pipe that nobody writes to stands in the system, as at a file on a disk that hangs. */
const pipe = (path: string): void => {
  execFileSync('mkfifo', [path]);
};

describe('doctor, where a file of the ledger does not answer', () => {
  const ledger = processFixture();

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
    pipe(ledger.inFolder('data', 'spool.db'));
    const { out, status } = await within(ENDS_WITHIN_MS, ledger.run(['doctor'], ledger.env({ PORT: '0' })), 'doctor');
    const checks = checksOf(out);
    expect(checks.get('spool')).to.match(/^what DATA_DIR names could not be looked at: no answer within 2\.0 s/);
    expect(checks.get('ledger')).to.match(/could take a delivery now/);
    expect(checks.get('event store')).to.match(/^sqlite:/);
    expect(checks.get('read models')).to.match(/^generation \d+ serves|^none yet/);
    expect(status, 'and not by a signal').to.equal(1);
  }).timeout(60_000);

  it('ends though more than one does not', async () => {
    mkdirSync(ledger.inFolder('data'), { mode: 0o700 });
    pipe(ledger.inFolder('data', 'spool.db'));
    pipe(ledger.inFolder('data', 'arrivals.json'));
    const { out, status } = await within(ENDS_WITHIN_MS, ledger.run(['doctor'], ledger.env()), 'doctor');
    const checks = checksOf(out);
    expect(checks.get('spool')).to.match(/could not be looked at/);
    for (const name of ['data directory', 'deliveries', 'checkpoints', 'disk']) {
      expect(checks.get(name)).to.match(/^what DATA_DIR names could not be looked at/);
    }
    expect(checks.get('event store')).to.match(/first start makes it/);
    expect(status).to.equal(1);
  }).timeout(60_000);
});
