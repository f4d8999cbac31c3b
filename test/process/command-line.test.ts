import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { deliver } from '../support/exchange.ts';
import { inTurns } from '../support/in-turns.ts';
import { onRamp } from '../support/payloads.ts';
import { orderScript } from './order-script.ts';
import { ask, expectOneLine, FULL_KEY, MASKED_KEY, processFixture } from './process-fixture.ts';

const AWKWARD_ID = 'ord/50% "größer"';
const ORDERS = [
  { orderId: 'order-off', deliveries: orderScript('order-off', 1).map(({ body }) => body) },
  { orderId: AWKWARD_ID, deliveries: [Buffer.from(JSON.stringify(onRamp({ orderId: AWKWARD_ID })))] },
];

const COMMANDS = [
  'serve',
  'order',
  'audit',
  'report',
  'replay',
  'verify',
  'migrate',
  'quarantine',
  'quarantine list',
  'quarantine release',
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
    const { url, signal, finished } = await ledger.serve(ledger.env());
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
    signal('SIGTERM');
    expect((await finished).status).to.equal(0);
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

  it('names an unknown order in one line, beside a ledger and where none was ever started', async () => {
    for (const command of ['order', 'audit']) {
      expectOneLine(await ledger.command([command, 'ord-404'], ledger.env()), 1, /ord-404/);
    }
    expect(await printed('verify')).to.deep.include({ events: 0, orders: 0, failures: [] });
    expect(existsSync(ledger.inFolder('data')), 'commands make no data directory').to.equal(false);
    const { url } = await ledger.serve(ledger.env());
    await deliver(url, onRamp({ orderId: 'ord-1' }));
    expectOneLine(await ledger.command(['order', 'ord-404', '--json'], ledger.env()), 1, /ord-404/);
    expectOneLine(await ledger.command(['order', 'ord-1', '--revision', '1'], ledger.env()), 1, /ord-1/);
    expectOneLine(await ledger.run(['order', 'two\nlines'], ledger.env()), 1, /two/);
  });

  it('verifies events whose secret is gone as far as that goes, and says how many they are', async () => {
    const { url, signal, finished } = await ledger.serve(ledger.env());
    await deliver(url, onRamp({ orderId: 'ord-1' }));
    signal('SIGTERM');
    await finished;
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
