import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import * as t from 'io-ts';
import { accepted } from '../support/answers.ts';
import { fillLedger } from '../support/filled-ledger.ts';
import { within } from '../support/within.ts';
import { deliver } from '../support/exchange.ts';
import { inTurns } from '../support/in-turns.ts';
import { offRamp, onRamp } from '../support/payloads.ts';
import { right } from '../support/right.ts';
import { expectOneLine, FULL_KEY, MASKED_KEY, processFixture } from './process-fixture.ts';

const Manifest = t.type({ rows: t.number, bytes: t.number, sha256: t.string, position: t.string });

const DELIVERIES = [
  onRamp({ orderId: 'a' }),
  offRamp({ orderId: 'b' }),
  offRamp({ orderId: 'b', status: 'PayoutSuccess', utr: '412345678901' }),
];

/** Each command with the same export over HTTP, and whose key gives it. */
const EXPORTS: readonly (readonly [options: string, path: string, key: string])[] = [
  ['orders --out orders.xlsx --chain-id 80001', 'orders?format=xlsx&chainId=80001', MASKED_KEY],
  [
    'events --out events --format ndjson --type OffRampPending --pii',
    'events?format=ndjson&type=OffRampPending',
    FULL_KEY,
  ],
  ['audit --out trail.csv --verify', 'audit?format=csv&verify=true', MASKED_KEY],
];

const WRONG: readonly (readonly [options: string, names: RegExp])[] = [
  ['orders', /--out/],
  ['orders --out x', /--format: expected one of csv, ndjson, xlsx/],
  ['orders --out x.csv --chain-id abc', /--chain-id: expected/],
  ['audit --out x.csv --flow onramp', /--flow is not for audit/],
];

/** Enough for an export that takes much longer than a signal needs. */
const ORDERS = 3_000;
const BEGUN_MS = 15_000;

describe('export on the command line', () => {
  const ledger = processFixture();

  const run = (options: string) => {
    const words = options.split(' ');
    const args = words.map((word, i) => (words[i - 1] === '--out' ? ledger.inFolder(word) : word));
    return ledger.command(['export', ...args], ledger.env());
  };
  const contentOf = (options: string, beside = ''): Buffer =>
    readFileSync(ledger.inFolder(`${/--out (\S+)/.exec(options)?.[1] ?? ''}${beside}`));

  it('writes what the HTTP interface gives, byte for byte, beside a ledger that serves, and goes on after its end', async () => {
    const { url, stop } = await ledger.serveHere(ledger.env());
    let position = '';
    for (const payload of DELIVERIES) ({ position } = accepted(await deliver(url, payload)));
    await inTurns(EXPORTS, 2, async ([options, path, key]) => {
      const headers = { Authorization: `Bearer ${key}` };
      const answer = await fetch(`${url}/v1/exports/${path}&position=${position}`, { headers });
      const bytes = Buffer.from(await answer.arrayBuffer());
      const { status, out, err } = await run(`${options} --json`);
      expect({ status, err }, options).to.deep.equal({ status: 0, err: '' });
      expect(contentOf(options).equals(bytes), options).to.equal(true);
      const beside: unknown = JSON.parse(contentOf(options, '.manifest.json').toString());
      expect(beside).to.deep.equal(JSON.parse(out));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect(right(Manifest.decode(beside))).to.include({ position, bytes: bytes.length, sha256 });
    });
    await stop();
    const told = await run('orders --out orders.csv');
    expect(told.out).to.match(
      /^2 rows, as of position 3: .*orders\.csv\n {2}INR {2}5123\.5 in 2 rows\nSHA-256 [\da-f]{64}\n$/,
    );
    expect(readdirSync(ledger.inFolder()).filter((name) => name.includes('.part'))).to.deep.equal([]);
  });

  it('leaves no half file where a signal ends it', async () => {
    mkdirSync(ledger.inFolder('data'));
    await fillLedger({ dataDir: ledger.inFolder('data'), file: ledger.inFolder('data', 'events.db') }, ORDERS);
    mkdirSync(ledger.inFolder('out'));
    writeFileSync(ledger.inFolder('out', 'trail.csv'), 'before');
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      const begun = Promise.withResolvers<string>();
      const watcher = watch(ledger.inFolder('out'), (_change, file) => {
        if (file?.endsWith('.part') === true) begun.resolve(file);
      });
      const args = ['export', 'audit', '--verify', '--out', ledger.inFolder('out', 'trail.csv')];
      const { signal, finished } = ledger.begin(args, ledger.env());
      expect(await within(BEGUN_MS, begun.promise, 'an export to begin')).to.match(/^trail\.csv\..+\.part$/);
      signal(name);
      watcher.close();
      expect(await finished).to.include({ status: null, signal: name });
      expect(readdirSync(ledger.inFolder('out')), name).to.deep.equal(['trail.csv']);
      expect(readFileSync(ledger.inFolder('out', 'trail.csv'), 'utf8')).to.equal('before');
    }
  });

  it('refuses wrong usage and places that can not be written in one line, and leaves nothing', async () => {
    mkdirSync(ledger.inFolder('data'));
    await inTurns(WRONG, 2, async ([options, names]) => {
      const { status, out, err } = await run(options);
      expect({ status, out }, options).to.deep.equal({ status: 2, out: '' });
      expect(err, options).to.match(names);
    });
    expectOneLine(await run('orders --out no/such/orders.csv'), 1, /no\/such\/orders\.csv can't be written/);
    expect(readdirSync(ledger.inFolder())).to.deep.equal(['data']);
  });
});
