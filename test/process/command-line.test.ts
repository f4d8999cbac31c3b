import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { deliver } from '../support/exchange.ts';
import { inTurns } from '../support/in-turns.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { JsonObject } from '../../src/domain/json.ts';
import { bodyOf, onRamp, signatureOf } from '../support/payloads.ts';
import { repositoryPath } from '../support/repository-file.ts';
import { orderScript } from './order-script.ts';
import { ask, expectOneLine, FULL_KEY, MASKED_KEY, processFixture } from './process-fixture.ts';

const AWKWARD_ID = 'ord/50% "größer"';
const ORDERS = [
  { orderId: 'order-off', deliveries: orderScript('order-off', 1).map(({ body }) => body) },
  { orderId: AWKWARD_ID, deliveries: [Buffer.from(JSON.stringify(onRamp({ orderId: AWKWARD_ID })))] },
];

const COMMANDS = [
  'serve',
  'orders',
  'order',
  'import',
  'audit',
  'report',
  'replay',
  'verify',
  'migrate',
  'quarantine',
  'quarantine list',
  'quarantine release',
  'quarantine close',
  'quarantine reopen',
  'token',
  'upstream',
  'sandbox',
  'demo',
  'completion',
];

describe('the command line', () => {
  const ledger = processFixture();

  /** What a command prints, as JSON; standard error stays empty. */
  const printed = async (...args: readonly string[]): Promise<unknown> => {
    const { status, out, err } = await ledger.command([...args, '--json'], ledger.env());
    expect({ status, err }, args.join(' ')).to.deep.equal({ status: 0, err: '' });
    expect(out.endsWith('}\n'), 'one line of JSON').to.equal(true);
    return JSON.parse(out);
  };

  it('suggests the order whose id is one slip away, and the right word of a parameter', async () => {
    const { url, stop } = await ledger.serveHere(ledger.env());
    for (const orderId of ['ord-1001', 'ord-2001']) {
      expect((await deliver(url, onRamp({ orderId }))).status).to.equal(200);
    }
    expect((await ledger.command(['report', 'onramp'], ledger.env())).status).to.equal(0);
    const cases: readonly (readonly [readonly string[], number, string])[] = [
      [['order', 'ord-101'], 1, 'there is no order ord-101 (did you mean ord-1001?)'],
      [['audit', 'odr-2001'], 1, 'there is no order odr-2001 (did you mean ord-2001?)'],
      [['order', 'nothing-like-it'], 1, 'there is no order nothing-like-it'],
      [['report', 'onramp', '--group-by', 'dya'], 2, '(did you mean day?)'],
      [['report', 'onramp', '--basis', 'setled'], 2, '(did you mean settled?)'],
      [['audit', '--type', 'OnRampComplted'], 2, '(did you mean OnRampCompleted?)'],
    ];
    for (const [args, status, line] of cases) {
      const ended = await ledger.command(args, ledger.env());
      expect([ended.status, ended.err.trim().endsWith(line)], ended.err).to.deep.equal([status, true]);
    }
    await stop();
  });

  it('gives what the HTTP interface gives, beside a ledger that serves and after its end', async () => {
    const { url, signal, finished } = await ledger.serve(ledger.env());
    const asked = async (path: string, key: string): Promise<unknown> => JSON.parse((await ask(url, path, key)).text);
    const expected: { readonly args: readonly string[]; readonly resource: unknown }[] = [];
    for (const { orderId, deliveries } of ORDERS) {
      for (const body of deliveries) expect((await deliver(url, body)).status).to.equal(200);
      const path = `/v1/orders/${encodeURIComponent(orderId)}`;
      expected.push(
        { args: ['order', orderId], resource: await asked(path, MASKED_KEY) },
        { args: ['order', orderId, '--pii'], resource: await asked(path, FULL_KEY) },
        { args: ['order', orderId, '--revision', '0'], resource: await asked(`${path}?revision=0`, MASKED_KEY) },
        { args: ['audit', orderId], resource: await asked(`${path}/audit`, FULL_KEY) },
      );
    }
    const all = { events: 6 + 1, orders: ORDERS.length, failures: [], unknownSecrets: 0 };
    expected.push({ args: ['verify'], resource: all });
    const text = JSON.stringify(expected.map(({ resource }) => resource));
    expect(text)
      .to.include('asha.rao@example.com')
      .and.to.include('v***@example.com')
      .and.to.include('"verified":"yes"');
    const same = (commands: typeof expected): Promise<void> =>
      inTurns(commands, 2, async ({ args, resource }) => {
        expect(await printed(...args), args.join(' ')).to.deep.equal(resource);
      });
    await same(expected);
    signal('SIGTERM');
    await finished;
    await same(expected.slice(-5));
  }).timeout(30_000);

  it('names an unknown order in one line, beside a ledger and where one has just been made', async () => {
    for (const command of ['order', 'audit']) {
      expectOneLine(await ledger.command([command, 'ord-404'], ledger.env()), 2, /DATA_DIR/);
    }
    expect(existsSync(ledger.inFolder('data')), 'commands make no data directory').to.equal(false);
    mkdirSync(ledger.inFolder('data'));
    expectOneLine(await ledger.command(['order', 'ord-404'], ledger.env()), 1, /ord-404/);
    expect(await printed('verify')).to.deep.include({ events: 0, orders: 0, failures: [] });
    const { url } = await ledger.serveHere(ledger.env());
    await deliver(url, onRamp({ orderId: 'ord-1' }));
    expectOneLine(await ledger.command(['order', 'ord-404', '--json'], ledger.env()), 1, /ord-404/);
    expectOneLine(await ledger.command(['order', 'ord-1', '--revision', '1'], ledger.env()), 1, /ord-1/);
    expectOneLine(await ledger.run(['order', 'two\nlines'], ledger.env()), 1, /two/);
  });

  it('says its version', async () => {
    const { status, out } = await ledger.command(['--version'], {});
    expect({ status, out }).to.deep.equal({ status: 0, out: `${packageJson.version}\n` });
  });

  it('imports past deliveries where there is no ledger yet, beside one that serves and after its end', async () => {
    const lineOf = (payload: JsonObject): string => {
      const body = bodyOf(payload);
      return JSON.stringify({
        body: body.toString(),
        signature: signatureOf(body),
        receivedAt: '2024-05-01T10:00:00Z',
      });
    };
    const file = ledger.inFolder('past.ndjson');
    const imported = async (...lines: readonly string[]): Promise<unknown> => {
      writeFileSync(file, `${lines.join('\n')}\n`);
      return printed('import', file);
    };
    const none = { recorded: 0, duplicates: 0, conflicts: 0, quarantined: 0, refused: [] };
    const [first, second] = [lineOf(onRamp({ orderId: 'past-1' })), lineOf(onRamp({ orderId: 'past-2' }))];
    expect(await imported(first)).to.deep.equal({ ...none, recorded: 1 });
    const { url, stop } = await ledger.serveHere(ledger.env());
    expect(await imported(first, second)).to.deep.equal({ ...none, recorded: 1, duplicates: 1 });
    const order: unknown = JSON.parse((await ask(url, '/v1/orders/past-2')).text);
    expect(order).to.include({ firstReceivedAt: '2024-05-01T10:00:00.000Z' });
    await stop();
    expect(await imported(first, second)).to.deep.equal({ ...none, duplicates: 2 });
    const refused = await ledger.command(['import', file], ledger.env({ WEBHOOK_SECRETS: `other=${'x'.repeat(24)}` }));
    expect(refused.status).to.equal(1);
    expect(refused.out).to.include('2 refused\nline 1: signature-mismatch\n');
    const forPrograms = ['import', file, '--json'];
    const counted = await ledger.command(forPrograms, ledger.env({ WEBHOOK_SECRETS: `other=${'x'.repeat(24)}` }));
    expect(counted.err).to.match(/^\d+ lines? (?:was|were) refused, the first is line \d+: signature-mismatch\n$/);
    expect(counted.status).to.equal(1);
    expectOneLine(await ledger.command(['import', `${file}.gone`], ledger.env()), 1, /is not there/);
  }).timeout(20_000);

  it('lists orders as the interface does, as a table and as CSV', async () => {
    const { url } = await ledger.serveHere(ledger.env());
    for (const fiat of ['100.50', '7']) await deliver(url, bodyOf(JSON.stringify(onRamp()).replace('100', fiat)));
    expect(await printed('orders', '--currency', 'inr', '--count')).to.deep.equal(
      JSON.parse((await ask(url, '/v1/orders?currency=inr&count=true', MASKED_KEY)).text),
    );
    const table = await ledger.command(['orders', '--limit', '1', '--count'], ledger.env());
    expect(table.out).to.match(/^orderId +createdAt .*\nord-\S+ .*\n2 orders, 107.5 INR\n$/);
    const csv = await ledger.command(['orders', '--format', 'csv'], ledger.env());
    expect(csv.out.split('\r\n')[0]).to.match(/^"orderId","flow","status","phase","fiat.amount"/);
    expect(csv.out.split('\r\n')).to.have.length(4);
    expectOneLine(await ledger.command(['orders', '--q', 'asha.rao@example.com'], ledger.env()), 2, /--pii/);
    const found = await ledger.command(['orders', '--q', 'ASHA.RAO@example.com', '--pii', '--json'], ledger.env());
    expect(found.out).to.include('asha.rao@example.com');
  }).timeout(20_000);

  it('verifies events whose secret is gone as far as that goes, and says how many they are', async () => {
    const { url, stop } = await ledger.serveHere(ledger.env());
    await deliver(url, onRamp({ orderId: 'ord-1' }));
    await stop();
    const others = ledger.env({ WEBHOOK_SECRETS: `other=${'x'.repeat(24)}` });
    const verified = await ledger.command(['verify', '--json'], others);
    expect(verified.status).to.equal(0);
    expect(JSON.parse(verified.out)).to.deep.equal({ events: 1, orders: 1, failures: [], unknownSecrets: 1 });
    const audit = await ledger.command(['audit', 'ord-1', '--json'], others);
    expect(audit.out).to.include('"verified":"unknown-secret"');
    const wrong = ledger.env({ WEBHOOK_SECRETS: `primary=${'x'.repeat(24)}` });
    const refuted = await ledger.run(['verify', '--json'], wrong);
    expect(refuted.status).to.equal(1);
    expect(refuted.out).to.include('"signature-mismatch"');
  });

  it('says in one line that its output can not be written, on a full disk say', async () => {
    const full = openSync('/dev/full', 'w');
    try {
      const child = spawn(process.execPath, [repositoryPath('src/ramp-ledger.mjs'), 'doctor', '--json'], {
        env: { ...ledger.env() },
        stdio: ['ignore', full, 'pipe'],
      });
      let err = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
      await once(child, 'close');
      expect(err).to.equal("ramp-ledger: standard output can't be written (ENOSPC)\n");
      expect(child.exitCode).to.equal(1);
    } finally {
      closeSync(full);
    }
  });

  it('shows an example of each command', async () => {
    await inTurns(COMMANDS, 3, async (command) => {
      const { status, out, err } = await ledger.command([...command.split(' '), '--help'], ledger.env());
      expect({ status, err }, command).to.deep.equal({ status: 0, err: '' });
      expect(out).to.match(new RegExp(`Examples?:\\n.*ramp-ledger ${command}`));
    });
    const all = await ledger.command(['--help'], ledger.env());
    expect(all.status).to.equal(0);
    for (const command of COMMANDS) expect(all.out).to.match(new RegExp(`^  ${command.replace(/ .*/, '')} `, 'm'));
  }).timeout(20_000);
});
