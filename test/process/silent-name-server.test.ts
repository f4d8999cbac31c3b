import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { expect } from 'chai';
import { deliver } from '../support/exchange.ts';
import { onRamp } from '../support/payloads.ts';
import { repositoryPath } from '../support/repository-file.ts';
import { SILENT_NAME, silentNames } from '../support/silent-names.ts';
import { startWitness } from '../support/test-witness.ts';
import { until } from '../support/until.ts';
import { within } from '../support/within.ts';
import { expectOneLine, expectOrderlyEnd, processFixture } from './process-fixture.ts';

const ASKED_WITHIN_MS = 30_000;
const ENDS_WITHIN_MS = 10_000;

/** By then a command has given up by bounds of its own, said so, and ended. */
const GIVEN_UP_WITHIN_MS = 60_000;

const UPSTREAM = { UPSTREAM_BASE_URL: `https://${SILENT_NAME}`, UPSTREAM_LOGIN_JSON: '{"username": "ledger"}' };

describe('what asks for a name that no name server answers', () => {
  const ledger = processFixture();

  const stoppedInOrder = async (over: Readonly<Record<string, string>>, taken: 200 | 202): Promise<void> => {
    const { env, areAsked } = silentNames(ledger.inFolder('aliases'));
    const serving = await ledger.serve(ledger.env({ ...env, ...over }));
    expect((await deliver(serving.url, onRamp({ orderId: 'a' }))).status).to.equal(taken);
    await until(ASKED_WITHIN_MS, 'the name to be asked for', () => Promise.resolve(areAsked() ? true : null));
    serving.signal('SIGTERM');
    const ended = await within(ENDS_WITHIN_MS, serving.finished, 'the end');
    expectOrderlyEnd(ended, ledger.inFolder('data'));
    expect(ended.out).to.include('"stopped"').and.not.include('"level":50');
  };

  for (const scheme of ['esdb', 'esdb+discover']) {
    it(`is a ledger whose event store it names by ${scheme}://, which stops in order`, () =>
      stoppedInOrder({ EVENT_STORE_URL: `${scheme}://${SILENT_NAME}:2113?tls=false` }, 202)).timeout(90_000);
  }

  it('is a ledger whose witness it names, which stops in order', async () => {
    const witness = await startWitness();
    await witness.close();
    const setting = witness.setting.replace(/http:.*$/, `https://${SILENT_NAME}/`);
    await stoppedInOrder({ LEDGER_WITNESSES: setting }, 200);
  }).timeout(90_000);

  it('is a command, which ends behind what it says', async () => {
    const { env } = silentNames(ledger.inFolder('aliases'));
    mkdirSync(ledger.inFolder('data'), { mode: 0o700 });
    const store = { EVENT_STORE_URL: `esdb://${SILENT_NAME}:2113?tls=false` };
    for (const [command, over, says] of [
      ['orders', store, /no answer/],
      ['verify', store, /no answer/],
      ['token', UPSTREAM, /no answer in time/],
    ] as const) {
      const { finished } = ledger.begin([command], ledger.env({ ...env, ...over }));
      expectOneLine(await within(GIVEN_UP_WITHIN_MS, finished, command), 1, says);
    }
  }).timeout(200_000);

  it('is the first process of a container, which ends at a signal', async () => {
    const { env, areAsked } = silentNames(ledger.inFolder('aliases'));
    const child = spawn(
      process.execPath,
      ['--import', './test/support/as-first-process.ts', 'src/ramp-ledger.mjs', 'token'],
      { cwd: repositoryPath('.'), env: { ...process.env, ...ledger.env({ ...env, ...UPSTREAM }) }, stdio: 'ignore' },
    );
    try {
      await until(ASKED_WITHIN_MS, 'the name to be asked for', () => Promise.resolve(areAsked() ? true : null));
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      expect(await within(ENDS_WITHIN_MS, ended, 'the end')).to.deep.equal([143, null]);
    } finally {
      child.kill('SIGKILL');
    }
  }).timeout(60_000);
});
