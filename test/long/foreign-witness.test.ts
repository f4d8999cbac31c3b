import { execFile, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { cosignedAt } from '../../src/proofs/witness/cosignature.ts';
import { noteVerifier, parseNote, parseVerifierLine, verifierLine } from '../../src/proofs/signed-note.ts';
import { deliver, exchange } from '../support/exchange.ts';
import { bodyOf, newOrderId, onRamp } from '../support/payloads.ts';
import { repositoryPath } from '../support/repository-file.ts';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);

const ORIGIN = 'log.example/foreign';
const NAME = 'witness.example/go';
const WITHIN_MS = 30_000;

/** A witness with the notes and proofs of Go, of the Debian packages golang-go and golang-golang-x-mod-dev. */
describe('a witness of another implementation', () => {
  const folder = temporaryFolder();
  const program = join(folder.path, 'witness');
  const { privateKey } = generateKeyPairSync('ed25519');
  const logLine = verifierLine(noteVerifier(ORIGIN, privateKey));
  const endings: (() => void)[] = [];
  let ledger: RunningLedger | null = null;

  before(async () => {
    const env = {
      ...process.env,
      GO111MODULE: 'off',
      GOPATH: '/usr/share/gocode',
      GOCACHE: folder.path,
      CGO_ENABLED: '0',
    };
    await run('go', ['build', '-o', program, repositoryPath('test/long/foreign-witness/main.go')], { env });
  });
  afterEach(async () => {
    await ledger?.close();
    ledger = null;
    for (const end of endings.splice(0)) end();
  });
  after(() => folder.remove());

  /** Starts one, which has seen a tree before or nothing; `answers` is what it answered, each with the size that it knows then. */
  const startWitness = async (...seen: readonly string[]) => {
    const child = spawn(program, [NAME, logLine, ...seen], { stdio: ['ignore', 'pipe', 'inherit'] });
    endings.push(() => child.kill());
    const answers: string[] = [];
    createInterface(child.stdout).on('line', (line) => answers.push(line));
    const setting = await until(WITHIN_MS, 'the witness', () => Promise.resolve(answers.shift() ?? null));
    return { setting, answers, key: parseVerifierLine(setting.split(' ')[0] ?? '', 'cosignature') };
  };

  const begin = async (setting: string): Promise<RunningLedger> => {
    const signingKey = privateKey.export({ format: 'pem', type: 'pkcs8' });
    const env = { LEDGER_ORIGIN: ORIGIN, LEDGER_SIGNING_KEY: signingKey, LEDGER_WITNESSES: setting };
    return (ledger = await startLedger({ env }));
  };

  const deliverMany = async (url: string, count: number): Promise<void> => {
    const one = async (): Promise<void> => {
      expect((await deliver(url, bodyOf(onRamp({ orderId: newOrderId() })))).status).to.equal(200);
    };
    await Promise.all(Array.from({ length: count }, one));
  };

  it('cosigns each checkpoint that it is offered, with the proof from the one before', async () => {
    const { setting, answers, key } = await startWitness();
    const { url } = await begin(setting);
    let size = 0;
    // Over the end of a tile, and sizes of every kind.
    for (const more of [1, 1, 3, 40, 211, 1, 60]) {
      await deliverMany(url, more);
      size += more;
      const wanted = size;
      await until(WITHIN_MS, `a cosignature of ${wanted} events`, async () => {
        const headers = { authorization: `Bearer ${API_KEY}` };
        const note = parseNote((await exchange(url, { path: '/v1/log/checkpoint', headers })).text);
        const isOf = note?.text.startsWith(`${ORIGIN}\n${wanted}\n`) === true;
        return isOf && key !== null && cosignedAt(note, key) !== null ? true : null;
      });
    }
    // What it was not offered before, it was offered from where it was; nothing was refused.
    expect(new Set(answers.map((answer) => answer.split(' ')[0]))).to.deep.equal(new Set(['200']));
    expect(answers.at(-1)).to.equal(`200 ${size}`);
    expect(answers.length).to.be.at.least(7);
  });

  for (const [what, size, status] of [
    ['another beginning', '2', '422'],
    ['a longer log', '900', '409'],
  ] as const) {
    it(`that has seen ${what} refuses, which is an alarm`, async () => {
      const { setting, answers } = await startWitness(size, randomBytes(32).toString('base64'));
      const { url } = await begin(setting);
      await deliverMany(url, 5);
      await until(WITHIN_MS, 'an alarm', async () =>
        (await exchange(url, { path: '/metrics' })).text.includes('\nramp_ledger_witnesses_refusing 1\n') ? true : null,
      );
      expect(answers.at(-1)).to.equal(`${status} ${size}`);
      const headers = { authorization: `Bearer ${API_KEY}` };
      const newest = await exchange(url, { path: '/v1/log/checkpoint', headers });
      expect([newest.status, newest.text.includes(NAME)]).to.deep.equal([200, false]);
    });
  }
});
