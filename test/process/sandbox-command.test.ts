import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { FLOWS } from '../../src/domain/flow.ts';
import { FAULTS } from '../../src/sandbox/fault.ts';
import { MONEY_FAULTS } from '../../src/sandbox/money/money-fault.ts';
import { NAMED_PATHS } from '../../src/sandbox/path.ts';
import { exchange } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { SECRET } from '../support/payloads.ts';
import { until } from '../support/until.ts';
import { within } from '../support/within.ts';
import { ask, expectOneLine, processFixture } from './process-fixture.ts';

const MOST_RUN_MS = 20_000;
/** From the signal on. */
const ENDS_WITHIN_MS = 10_000;

describe('the command sandbox', () => {
  const processes = processFixture();

  const sandboxAnswer = async (url: string, path: string): Promise<unknown> =>
    JSON.parse((await exchange(url, { path })).text);

  const played = (url: string): Promise<unknown> =>
    until(MOST_RUN_MS, 'the run to end', async () => {
      const progress = await sandboxAnswer(url, '/sandbox/run');
      return at(progress, 'running') === false ? progress : null;
    });

  it('plays orders into a ledger, which reports what the sandbox knows', async () => {
    const ledger = await processes.serveHere(processes.env());
    const file = processes.inFolder('secret');
    writeFileSync(file, `${SECRET}\n`);
    const args = ['--target', ledger.url, '--secret-file', file, '--orders', '80', '--days', '30', '--seed', '5'];
    const sandbox = await processes.sandbox([...args, '--fault', 'duplicates', '--fault', 'wrong-signature'], {});
    expect(await played(sandbox.url)).to.include({ ordersPlayed: 80 });
    const progress = await sandboxAnswer(sandbox.url, '/sandbox/run');
    const count = (...path: readonly string[]): number => Number(at(progress, ...path));
    const all = count('deliveries');
    expect(count('answers', '401')).to.be.greaterThan(80);
    expect(count('answers', '200') + count('answers', '401')).to.equal(all);

    const headers = { 'content-type': 'application/json' };
    const body = Buffer.from('{"flow":"onramp","path":"refund","orderId":"asked-1","fiat":2500.10,"faults":[]}');
    const placed = await exchange(sandbox.url, { method: 'POST', path: '/sandbox/orders', headers, body });
    expect(JSON.parse(placed.text)).to.deep.equal({ orderId: 'asked-1' });
    expect(JSON.parse((await ask(ledger.url, '/v1/orders/asked-1')).text)).to.deep.include({
      status: 'refunded',
      anomalies: [],
    });

    const list = await sandboxAnswer(sandbox.url, '/sandbox/deliveries');
    const last: unknown = JSON.parse(String(at(list, 'data', String(all + 4), 'answer', 'body')));
    const expected = await sandboxAnswer(sandbox.url, '/sandbox/expected');
    for (const flow of FLOWS) {
      const { text } = await ask(ledger.url, `/v1/reports/${flow}?position=${String(at(last, 'position'))}`);
      expect(at(JSON.parse(text), 'totals'), flow)
        .to.deep.equal(at(expected, flow))
        .and.not.to.deep.equal([]);
    }
  }).timeout(60_000);

  it('says where it listens, whose tokens it gives and which seed it has, and never the secret', async () => {
    const env = { SANDBOX_WEBHOOK_SECRET: SECRET };
    const { url, out, signal, finished } = await processes.sandbox(['--target', 'http://127.0.0.1:9/hooks?a=1'], env);
    expect(JSON.parse(out().split('\n')[0] ?? '')).to.include({
      msg: 'listening',
      url,
      issuer: url,
      audience: 'sandbox-client',
      target: 'http://127.0.0.1:9/hooks?a=1',
    });
    // As often as can be, up to its very end: there, a signal without a handler would be the end.
    const telling = setInterval(() => signal('SIGINT'), 1);
    const { status, err, out: all } = await finished;
    clearInterval(telling);
    expect({ status, err }).to.deep.equal({ status: 0, err: '' });
    expect(all).to.not.include(SECRET);
  }).timeout(20_000);

  it('ends within seconds in the middle of a run, whether the target is away or silent', async () => {
    const silent = createServer();
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve);
    });
    const address = silent.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      for (const target of ['http://127.0.0.1:9', `http://127.0.0.1:${port}`]) {
        const args = ['--target', target, '--rate', '200', '--orders', '1000'];
        const { url, signal, finished } = await processes.sandbox(args, { SANDBOX_WEBHOOK_SECRET: SECRET });
        await until(MOST_RUN_MS, 'a delivery', async () => {
          const sent = Number(at(await sandboxAnswer(url, '/sandbox/run'), 'deliveries'));
          return sent > 0 ? sent : null;
        });
        signal('SIGTERM');
        const { status, err } = await within(ENDS_WITHIN_MS, finished, `the end, with ${target}`);
        expect({ status, err }, target).to.deep.equal({ status: 0, err: '' });
      }
    } finally {
      silent.close();
    }
  }).timeout(30_000);

  it('writes bank files, transfers and what must be found into a folder when it has played, and hands them out', async () => {
    const folder = processes.inFolder('bank');
    const args = ['--orders', '80', '--days', '20', '--money-fault', 'all', '--bank-dir', folder, '--seed', '7'];
    const { url } = await processes.sandbox(args, { BUSINESS_TIME_ZONE: 'Asia/Kolkata' });
    await until(15_000, 'the files', () => Promise.resolve(existsSync(join(folder, 'expected.json')) ? true : null));
    const files = at(await sandboxAnswer(url, '/sandbox/bank'), 'data');
    const names = (Array.isArray(files) ? files : []).map((file: unknown) => String(at(file, 'name')));
    expect(readdirSync(folder)).to.include.members([...names, 'profile.json']);
    const [name = ''] = names;
    const { text, headers } = await exchange(url, { path: `/sandbox/bank/${name}` });
    expect(text).to.equal(readFileSync(join(folder, name), 'utf8'));
    expect(headers['content-type']).to.match(/^(?:application\/xml|text\/(?:csv|plain)); charset=utf-8$/);
    const expected: unknown = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'));
    expect(at(await sandboxAnswer(url, '/sandbox/bank/expected'), 'items')).to.deep.equal(expected);
    for (const [path, refused] of [
      ['/sandbox/bank?by=year', /by: expected one of day, month/],
      ['/sandbox/bank?through=2026-13-01', /through: expected a day/],
      ['/sandbox/bank/XXX-2026-03.csv', /no file of this name/],
      ['/sandbox/chain/77/transfers', /no order of the sandbox/],
    ] as const)
      expect((await exchange(url, { path })).text).to.match(refused);
  }).timeout(30_000);

  it('takes its port from --port, before PORT', async () => {
    const { url } = await processes.sandbox(['--port', '0'], { PORT: 'none' });
    expect(at(await sandboxAnswer(url, '/sandbox/deliveries'), 'data')).to.deep.equal([]);
    const taken = new URL(url).port;
    expectOneLine(await processes.run(['sandbox', '--port', taken], {}), 1, /is taken/);
  }).timeout(20_000);

  it('names in one line what is right where an option is wrong', async () => {
    expectOneLine(
      await processes.command(['sandbox', '--fault', 'dupes'], {}),
      2,
      /--fault: "dupes" .*duplicates, .*give-up/,
    );
    expectOneLine(
      await processes.command(['sandbox', '--money-fault', 'chaos'], {}),
      2,
      /--money-fault: "chaos" .*all, bank-missing, .*chain-unknown/,
    );
    expectOneLine(
      await processes.command(['sandbox', '--target', 'http://127.0.0.1:9'], {}),
      2,
      /SANDBOX_WEBHOOK_SECRET/,
    );
    const { status, out, err } = await processes.command(['sandbox', '--sed', '7'], {});
    expect({ status, out }).to.deep.equal({ status: 2, out: '' });
    expect(err).to.match(/unknown option '--sed'\s+\(Did you mean --seed\?\)/);
  }).timeout(20_000);

  it('is a provider that the token service logs in to, proves the tokens of, and calls', async () => {
    const { url } = await processes.sandbox([], {});
    const env = {
      UPSTREAM_BASE_URL: url,
      UPSTREAM_LOGIN_JSON: '{"user":"anybody"}',
      UPSTREAM_ISSUER: url,
      UPSTREAM_AUDIENCE: 'sandbox-client',
      UPSTREAM_JWKS_URL: `${url}/.well-known/jwks.json`,
    };
    const token = await processes.command(['token', '--json'], env);
    expect({ status: token.status, err: token.err }).to.deep.equal({ status: 0, err: '' });
    const shown: unknown = JSON.parse(token.out);
    expect(shown).to.include({ signatureChecked: true });
    expect(at(shown, 'expiresInSeconds')).to.be.within(890, 900);
    const me = await processes.command(['upstream', 'GET', '/v1/users/me'], env);
    expect(me.status, me.err).to.equal(0);
    expect(at(JSON.parse(me.out), 'id')).to.equal(at(shown, 'claims', 'sub'));
  }).timeout(20_000);

  it('explains every fault and every path, with examples', async () => {
    const { status, out } = await processes.command(['sandbox', '--help'], {});
    expect(status).to.equal(0);
    for (const name of Object.keys(FAULTS)) expect(out).to.match(new RegExp(`^  ${name} +\\S`, 'm'));
    for (const name of Object.keys(MONEY_FAULTS)) expect(out).to.match(new RegExp(`^  ${name} +\\S`, 'm'));
    for (const flow of FLOWS) {
      for (const name of NAMED_PATHS[flow].keys()) expect(out).to.match(new RegExp(`^  ${flow} +${name} +\\S`, 'm'));
    }
    expect(out).to.match(/^Examples:\n {2}ramp-ledger sandbox /m);
  }).timeout(20_000);
});
