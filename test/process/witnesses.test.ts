import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { parseNote, parseVerifierLine } from '../../src/proofs/signed-note.ts';
import { cosignedAt } from '../../src/proofs/witness/cosignature.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { bodyOf, newOrderId, onRamp } from '../support/payloads.ts';
import { startWitness, type TestWitness } from '../support/test-witness.ts';
import { until } from '../support/until.ts';
import { ask, expectOneLine, processFixture } from './process-fixture.ts';

const WITHIN_MS = 20_000;

describe('witnesses', () => {
  const ledger = processFixture();
  let witness: TestWitness;
  let other: TestWitness;
  before(async () => {
    witness = await startWitness();
    other = await startWitness('other.example');
  });
  after(() => Promise.all([witness.close(), other.close()]));

  const env = (over: Record<string, string> = {}) =>
    ledger.env({
      LEDGER_ORIGIN: 'log.example/witnessed',
      LEDGER_WITNESSES: `${witness.setting}, ${other.setting}`,
      ...over,
    });

  const deliverOne = async (url: string): Promise<void> => {
    expect((await deliver(url, bodyOf(onRamp({ orderId: newOrderId() })))).status).to.equal(200);
  };

  const metric = async (url: string, name: string): Promise<string> =>
    new RegExp(`^${name} (.*)$`, 'm').exec((await exchange(url, { path: '/metrics' })).text)?.[1] ?? '';

  /** Who has cosigned the newest checkpoint, once so many have. */
  const cosigners = (url: string, count: number, size: number): Promise<readonly string[]> =>
    until(WITHIN_MS, 'cosignatures', async () => {
      const note = parseNote((await ask(url, '/v1/log/checkpoint')).text);
      if (note === null || note.signatures.length !== 1 + count || !note.text.includes(`\n${size}\n`)) return null;
      const [own, ...others] = note.signatures;
      expect(own?.name).to.equal('log.example/witnessed');
      for (const [i, { setting }] of [witness, other].entries()) {
        const key = parseVerifierLine(setting.split(' ')[0] ?? '', 'cosignature') ?? expect.fail(`key ${i}`);
        const isIn = others.some(({ name }) => name === key.name);
        expect(cosignedAt(note, key) !== null).to.equal(isIn);
      }
      return others.map(({ name }) => name).toSorted();
    });

  it('cosign what the ledger signs, from where each of them knows the log, and one that refuses is an alarm', async () => {
    let serving = await ledger.serveHere(env());
    await deliverOne(serving.url);
    witness.know((await exchange(serving.url, { path: '/v1/log/key' })).text.trimEnd());
    // One of them does not know this log yet, which holds up nothing.
    await deliverOne(serving.url);
    expect(await cosigners(serving.url, 1, 2)).to.deep.equal([witness.name]);
    other.know((await exchange(serving.url, { path: '/v1/log/key' })).text.trimEnd());
    for (let i = 0; i < 3; i += 1) await deliverOne(serving.url);
    expect(await cosigners(serving.url, 2, 5)).to.deep.equal([other.name, witness.name]);
    // The line is answered as soon as it is kept, and counted behind that.
    await until(5_000, 'both to be counted', async () =>
      (await metric(serving.url, 'ramp_ledger_checkpoint_cosignatures')) === '2' ? true : null,
    );
    expect(await metric(serving.url, 'ramp_ledger_witnesses_refusing')).to.equal('0');
    await serving.stop();
    // A ledger that begins anew under the same name can't show that what they saw is the beginning of its log.
    rmSync(ledger.inFolder('data'), { recursive: true });
    serving = await ledger.serveHere(env());
    witness.know((await exchange(serving.url, { path: '/v1/log/key' })).text.trimEnd());
    await deliverOne(serving.url);
    await until(WITHIN_MS, 'an alarm', async () =>
      (await metric(serving.url, 'ramp_ledger_witnesses_refusing')) === '1' ? true : null,
    );
    const doctor = await ledger.command(['doctor'], env());
    expect(doctor.status).to.equal(1);
    expect(doctor.out).to.match(/witness witness\.example\/test refuses to cosign: it saw a log of 5 events/);
    await serving.stop();
    expect(serving.out()).to.include('a witness refuses to cosign, since it saw another log');
  });

  it('are named by their key and their address', async () => {
    const [key = ''] = witness.setting.split(' ');
    for (const [value, wrong] of [
      ['nonsense', /entry 1/],
      [`${key} ftp://x`, /address/],
      [`${key.replace('witness', 'witnes')} http://127.0.0.1/`, /key/],
      [`${witness.setting},${witness.setting}`, /twice/],
    ] as const) {
      const refused = await ledger.command(['serve'], env({ LEDGER_WITNESSES: value }));
      expectOneLine(refused, 2, /LEDGER_WITNESSES/);
      expect(refused.err).to.match(wrong);
    }
  });
});
