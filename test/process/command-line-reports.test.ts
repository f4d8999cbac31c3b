import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { accepted } from '../support/answers.ts';
import { deliver } from '../support/exchange.ts';
import { inTurns } from '../support/in-turns.ts';
import { offRamp, onRamp } from '../support/payloads.ts';
import { ask, expectOneLine, MASKED_KEY, processFixture } from './process-fixture.ts';

const UTR = '412345678901';

const DELIVERIES = [
  onRamp({ orderId: 'on-1', metaData: { conversionRate: '90.2', commission: '1.25' } }),
  onRamp({ orderId: 'on-1', status: 'completed', metaData: { conversionRate: '90.2', commission: '1.25' } }),
  onRamp({ orderId: 'on-2', currency: 'USD', createdAt: '2023-04-30T20:00:00.000Z' }),
  offRamp({ orderId: 'off-1' }),
  offRamp({ orderId: 'off-1', status: 'PayoutSuccess', utr: UTR, updated_at: '2023-03-02T08:00:00Z' }),
  'no JSON',
];

/** Each command with the question that is the same over HTTP. */
const COMMANDS: readonly (readonly [command: string, path: string])[] = [
  ['report onramp --json', '/v1/reports/onramp'],
  [
    'report onramp --from 2023-05-01 --to 2023-05-31 --group-by day,token --format json',
    '/v1/reports/onramp?from=2023-05-01&to=2023-05-31&groupBy=day,token',
  ],
  ['report offramp --basis settled --json', '/v1/reports/offramp?basis=settled'],
  ['report onramp --group-by month,chain --format csv', '/v1/reports/onramp?groupBy=month,chain&format=csv'],
  ['audit --json', '/v1/audit'],
  ['audit --limit 1 --type OnRampFiatPending --json', '/v1/audit?limit=1&type=OnRampFiatPending'],
  [`audit --q ${UTR} --from 2023-01-01 --verify --json`, `/v1/audit?q=${UTR}&from=2023-01-01&verify=true`],
  ['quarantine list --limit 1 --json', '/v1/quarantine?limit=1'],
];

const WRONG: readonly (readonly [command: string, names: RegExp])[] = [
  ['report sideways', /'sideways'.*'flow'/],
  ['report onramp --from yesterday', /--from: expected/],
  ['report onramp --group-by moon', /--group-by: expected/],
  ['report onramp --basis wished', /--basis: expected/],
  ['report onramp --format papyrus', /--format: expected/],
  ['report onramp --format csv --json', /--json and --format csv/],
  ['audit --limit 0', /--limit: expected/],
  ['audit --cursor x', /--cursor: is none/],
  ['audit on-1 --type OnRampFiatPending', /--type is for the list/],
  ['quarantine list --limit 501', /--limit: expected/],
];

describe('reports and lists on the command line', () => {
  const ledger = processFixture();
  const env = () => ledger.env({ BUSINESS_TIME_ZONE: 'Asia/Kolkata' });
  const run = (command: string) => ledger.command(command.split(' '), env());

  const output = async (command: string): Promise<string> => {
    const { status, out, err } = await run(command);
    expect({ status, err }, command).to.deep.equal({ status: 0, err: '' });
    return out;
  };

  it('are what the HTTP interface gives, byte for byte, beside a ledger that serves, after its end, and after a replay', async () => {
    const { url, stop } = await ledger.serveHere(env());
    let position = '';
    for (const body of DELIVERIES) ({ position } = accepted(await deliver(url, body)));
    const texts = new Map<string, string>();
    for (const [, path] of COMMANDS) {
      const separator = path.includes('?') ? '&' : '?';
      const { status, text } = await ask(url, `${path}${separator}position=${position}`, MASKED_KEY);
      expect(status, text).to.equal(200);
      texts.set(path, text);
    }
    expect([...texts.values()].join('\n'))
      .to.include('"day":"2023-05-01"')
      .and.to.include('"verified":"yes"')
      .and.to.include('"next":"')
      .and.to.include('"is no JSON"');
    const expectSame = (commands: typeof COMMANDS): Promise<void> =>
      inTurns(commands, 2, async ([command, path]) => {
        const expected = texts.get(path) ?? '';
        expect(await output(command), command).to.equal(path.includes('format=csv') ? expected : `${expected}\n`);
      });
    const replayed = async (): Promise<void> => {
      const figures: unknown = JSON.parse(await output('replay --json'));
      expect(figures).to.include({ events: DELIVERIES.length, orders: 3 }).and.to.have.property('eventsPerSecond');
    };
    await expectSame(COMMANDS);
    await replayed();
    await expectSame(COMMANDS.slice(0, 1));
    for (const [path, expected] of texts) expect((await ask(url, path, MASKED_KEY)).text).to.equal(expected);
    await stop();
    await replayed();
    await expectSame(COMMANDS);

    const table = await output('report onramp --group-by month');
    expect(table).to.match(/^onramp orders created at any time; time zone Asia\/Kolkata; as of position \S+, \S+Z\n/);
    expect(table).to.match(/^2023-03 +INR +1 +100 +100 .*^2023-05 +USD .*^total +INR .*^total +USD /ms);
    expect(await output('quarantine list')).to.match(/^eventId .*reasons\n\S+ .* {2}is no JSON\n$/);
    expect(await output('audit --type OffRampPending')).to.match(/^position .*\n\S+ .* OffRampPending +off-1 .*\n$/);
    expect(await output('replay')).to.match(/^6 events of 3 orders replayed, \d+ a second; [^\n]*\n$/);
  }).timeout(60_000);

  it('go on at the cursor that a page names', async () => {
    const { url } = await ledger.serveHere(env());
    for (const body of DELIVERIES.slice(0, 2)) await deliver(url, body);
    const first = await run('audit --limit 1');
    expect(first.out.split('\n')).to.have.length(3);
    const cursor = /^there is more: --cursor (\S+)\n$/.exec(first.err)?.[1] ?? expect.fail(first.err);
    expect(await output(`audit --limit 1 --cursor ${cursor}`)).to.match(/^position .*\n\S+ .* OnRampCompleted .*\n$/);
  });

  it('are refused where there is no ledger, and nothing is made there', async () => {
    for (const command of ['report offramp --json', 'orders', 'audit --json', 'quarantine list', 'replay', 'verify']) {
      expectOneLine(await run(command), 2, /^ramp-ledger: DATA_DIR: there is no ledger in /);
    }
    expect(existsSync(ledger.inFolder('data'))).to.equal(false);
    mkdirSync(ledger.inFolder('data'));
    writeFileSync(ledger.inFolder('data', 'notes.txt'), 'of somebody else');
    expectOneLine(await run('orders'), 2, /DATA_DIR/);
  }).timeout(20_000);

  it('are empty where a ledger has just been made', async () => {
    mkdirSync(ledger.inFolder('data'));
    const empty = { data: [], next: null };
    expect(JSON.parse(await output('report offramp --json'))).to.deep.include({ rows: [], totals: [] });
    expect(await output('report offramp')).to.match(/before the first event\nno orders\n$/);
    expect(JSON.parse(await output('audit --json'))).to.deep.equal(empty);
    expect(JSON.parse(await output('quarantine list --json'))).to.deep.equal(empty);
    expect(JSON.parse(await output('replay --json'))).to.deep.equal({ events: 0, orders: 0, eventsPerSecond: 0 });
    expect(JSON.parse(await output('orders --json'))).to.deep.equal(empty);
  }).timeout(20_000);

  it('name the option that is wrong in one line, before anything is built', async () => {
    const { url, stop } = await ledger.serveHere(env());
    await deliver(url, onRamp());
    await stop();
    const file = ledger.inFolder('data', 'other-read-models.db');
    const elsewhere = { ...env(), READ_MODEL_URL: `sqlite:${file}` };
    await inTurns(WRONG, 2, async ([command, names]) => {
      expectOneLine(await ledger.command(command.split(' '), elsewhere), 2, names);
    });
    expect(existsSync(file)).to.equal(false);
    const { status, out, err } = await run('quarantine');
    expect({ status, out }).to.deep.equal({ status: 2, out: '' });
    expect(err).to.match(/list[^]*release/);
  }).timeout(30_000);
});
