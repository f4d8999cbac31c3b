import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import * as t from 'io-ts';
import { expect } from 'chai';
import { FLOWS } from '../../src/domain/flow.ts';
import { CLOCK_ANOMALIES, LASTING_ANOMALIES } from '../../projections/order-state/index.ts';
import { OFF_RAMP_STATUSES, ON_RAMP_STATUSES } from '../../src/domain/status.ts';
import { NAMED_PATHS } from '../../src/sandbox/path.ts';
import { exchange } from '../support/exchange.ts';
import type { LedgerProcess } from '../support/ledger-process.ts';
import { at } from '../support/naive-json.ts';
import { right } from '../support/right.ts';
import { until } from '../support/until.ts';
import { within } from '../support/within.ts';
import { ask, expectOneLine, processFixture } from './process-fixture.ts';

/** docs/spec/sandbox.md, Demonstration. */
const ALL_IN_WITHIN_MS = 30_000;
const ENDS_WITHIN_MS = 10_000;
/** Something settles on each of so many days. */
const DAYS = 30;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** No word that a shell would take as it stands. */
const DATA = "a merchant's data";
const STATUSES = { onramp: ON_RAMP_STATUSES, offramp: OFF_RAMP_STATUSES };

const Deliveries = t.type({ data: t.array(t.type({ orderId: t.string, status: t.string, kind: t.string })) });

const Summary = t.type({
  rows: t.array(
    t.type({ state: t.string, currency: t.union([t.string, t.null]), ageing: t.record(t.string, t.number) }),
  ),
});

type Started = LedgerProcess & { readonly sandboxUrl: string; readonly tries: string[] };

/** A path's statuses, whatever their order. */
const signature = (statuses: readonly string[]): string => statuses.toSorted().join();

describe('the demonstration', () => {
  const processes = processFixture();
  const inData = (file: string): string => processes.inFolder(DATA, file);
  const valueIn = (file: string): string => readFileSync(inData(file), 'utf8').trim();

  /** Starts it and waits until it is through with the past. */
  const started = async (): Promise<Started> => {
    const demo = await processes.script('demo', { DATA_DIR: processes.inFolder(DATA) });
    const text = await until(ALL_IN_WITHIN_MS, 'orders on every path', async () =>
      demo.out().includes('a webhook a second arrives') ? Promise.resolve(demo.out()) : null,
    );
    const [, tried = ''] = text.split('Three commands to try');
    return {
      ...demo,
      sandboxUrl: /^ +sandbox +(http:\S+[^\s,])/m.exec(text)?.[1] ?? expect.fail('no sandbox is named'),
      tries: tried
        .split('\n')
        .filter((line) => line.startsWith('  '))
        .map((line) => line.trim()),
    };
  };

  const json = async (url: string, path: string): Promise<unknown> => JSON.parse((await exchange(url, { path })).text);

  /** How many on-ramp orders its ledger has; 0 while nobody answers. */
  const ordersAt = async (url: string): Promise<number> => {
    try {
      const { text } = await ask(url, '/v1/reports/onramp', valueIn('api-key'));
      return Number(at(JSON.parse(text), 'totals', '0', 'orders') ?? 0);
    } catch {
      return 0;
    }
  };

  const ctrlC = async ({ signalAll, finished }: LedgerProcess): Promise<void> => {
    signalAll('SIGINT');
    signalAll('SIGINT');
    // It is finished when all that inherited its output has ended. How npm ends is its own matter.
    const { out } = await within(ENDS_WITHIN_MS, finished, 'the end');
    expect(out.trim().split('\n').at(-1)).to.include(`its data stays in ${processes.inFolder(DATA)}`);
  };

  /** Orders on every path and at every status, of which its ledger reports what its sandbox knows. */
  const expectEveryPath = async ({ url, sandboxUrl }: Started): Promise<void> => {
    const { data } = right(Deliveries.decode(await json(sandboxUrl, '/sandbox/deliveries')));
    const events = data.filter(({ kind }) => kind === 'event');
    const paths = [...Map.groupBy(events, ({ orderId }) => orderId).values()].map((its) =>
      signature(its.map(({ status }) => status)),
    );
    const key = valueIn('api-key');
    for (const flow of FLOWS) {
      for (const [name, path] of NAMED_PATHS[flow]) {
        expect(paths, `${flow} ${name}`).to.include(signature(path.map(({ status }) => status)));
      }
      for (const status of STATUSES[flow]) {
        const { text } = await ask(url, `/v1/orders?flow=${flow}&status=${status}&limit=1`, key);
        expect(at(JSON.parse(text), 'data'), `${flow} ${status}`).to.have.length(1);
      }
    }
    await until(ALL_IN_WITHIN_MS, 'a quiet moment', async () => {
      const before = await json(sandboxUrl, '/sandbox/expected');
      const reports = await Promise.all(FLOWS.map((flow) => ask(url, `/v1/reports/${flow}`, key)));
      const totals = reports.map(({ text }) => at(JSON.parse(text), 'totals'));
      return isDeepStrictEqual(
        totals,
        FLOWS.map((flow) => at(before, flow)),
      )
        ? totals
        : null;
    });
  };

  /** An order for each anomaly, something in every list, and on each of thirty days money that was paid out and one that was received. */
  const expectEveryPage = async ({ url }: Started): Promise<void> => {
    const key = valueIn('api-key');
    const list = async (path: string): Promise<unknown> => at(JSON.parse((await ask(url, path, key)).text), 'data');
    for (const code of [...LASTING_ANOMALIES, ...CLOCK_ANOMALIES]) {
      expect(await list(`/v1/orders?anomaly=${code}&limit=1`), code).to.have.length(1);
    }
    expect(await list('/v1/quarantine?state=open')).to.have.length(1);
    const hangs = await list('/v1/orders?anomaly=deemed-too-long&currency=INR');
    expect(JSON.stringify(hangs)).to.include('"utr":"');
    for (const flow of FLOWS) {
      const { text } = await ask(url, `/v1/reports/${flow}?basis=settled&groupBy=day`, key);
      const rows = at(JSON.parse(text), 'rows');
      const days = Array.isArray(rows) ? rows.filter((row) => at(row, 'currency') === 'INR') : [];
      expect(days.length, flow).to.be.within(DAYS, DAYS + 1);
      for (const currency of ['AED', 'EUR']) {
        const its = Array.isArray(rows) ? rows.filter((row) => at(row, 'currency') === currency) : [];
        expect(its.length, `${flow} ${currency}`).to.be.at.least(DAYS / 2);
      }
    }
    const metrics = (await exchange(url, { path: '/metrics' })).text;
    expect(metrics).to.match(/^ramp_ledger_deliveries_rejected_total\{code="signature-mismatch"\} [1-9]/m);
  };

  /** A reconciliation with breaks of different ages and currencies, and a bank file that is left to be tried. */
  const expectBreaks = async ({ url, out }: Started): Promise<void> => {
    const key = valueIn('api-key');
    const { rows } = right(Summary.decode(JSON.parse((await ask(url, '/v1/reconciliation', key)).text)));
    const open = rows.filter(({ state }) => !['matched', 'expected', 'explained'].includes(state));
    expect(rows.filter(({ state }) => state === 'matched')).to.not.deep.equal([]);
    expect(new Set(open.map(({ currency }) => currency)).size, JSON.stringify(rows)).to.be.greaterThan(1);
    const ages = open.flatMap(({ ageing }) => Object.entries(ageing).flatMap(([age, items]) => (items > 0 ? age : [])));
    expect(new Set(ages).size, JSON.stringify(rows)).to.be.greaterThan(1);
    const [, left = ''] = /drop (\S+) of that folder/.exec(out()) ?? [];
    const file = readFileSync(inData(join('bank', left)));
    const imported = await exchange(url, {
      method: 'POST',
      path: `/v1/statements?profile=sandbox-bank`,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
      body: file,
    });
    expect(at(JSON.parse(imported.text), 'newLines'), imported.text).to.be.greaterThan(0);
  };

  /** Commands that work as they stand, and no secret. */
  const expectCommandsThatWork = async (demo: Started): Promise<void> => {
    const { url, tries } = demo;
    const [curl = '', report = '', audit = ''] = tries;
    const run = (command: string): string => {
      const { PATH } = process.env;
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
        cwd: ROOT,
        encoding: 'utf8',
        env: { PATH },
      });
      expect(status, `${command}\n${stderr}`).to.equal(0);
      return stdout;
    };
    // What curl would be given: it is not everywhere where tests run.
    const [, , header = '', address = ''] = run(curl.replace(/^curl /, String.raw`printf '%s\n' `)).split('\n');
    const [name = '', value = ''] = header.split(': ');
    expect(address).to.match(new RegExp(`^${url}/v1/orders\\?`));
    const { text } = await exchange(url, { path: address.slice(url.length), headers: { [name]: value } });
    expect(at(JSON.parse(text), 'data')).to.have.length(3);
    expect(run(report)).to.match(/\d{4}-\d{2}.*INR/);
    expect(run(audit))
      .to.match(/fiatPending|pending/)
      .and.to.match(/\byes\b/);
    for (const secret of ['api-key', 'webhook-secret']) expect(demo.out() + demo.err()).to.not.include(valueIn(secret));
  };

  it('shows every path, prints commands that work, goes on gently, and ends at Ctrl-C; begins again there, on the port that it is given, and ends in the middle of the past too', async () => {
    const first = await started();
    await expectEveryPath(first);
    await expectCommandsThatWork(first);
    await expectBreaks(first);
    await expectEveryPage(first);
    const sent = async (url: string): Promise<number> => Number(at(await json(url, '/sandbox/run'), 'deliveries'));
    const soon = await sent(first.sandboxUrl);
    await until(ALL_IN_WITHIN_MS, 'live orders', async () => ((await sent(first.sandboxUrl)) > soon + 1 ? true : null));
    expect(first.out().split('\n').slice(-3)[0]).to.match(/^\d\d:\d\d:\d\d .*recorded$/);
    const before = await ordersAt(first.url);
    await ctrlC(first);
    expect(readdirSync(processes.inFolder())).to.deep.equal([DATA]);

    const other = await processes.sandbox([], {});
    const { port } = new URL(other.url);
    const env = { DATA_DIR: processes.inFolder(DATA), PORT: port };
    expectOneLine(await processes.run(['demo'], env), 1, new RegExp(`PORT ${port} .*is taken`));
    other.signal('SIGTERM');
    await other.finished;
    const { signal, finished } = processes.begin(['demo'], env);
    await until(ALL_IN_WITHIN_MS, 'further orders', async () =>
      (await ordersAt(other.url)) > before + 20 ? true : null,
    );
    signal('SIGINT');
    signal('SIGINT');
    const { status, err, out } = await within(ENDS_WITHIN_MS, finished, 'the end');
    expect({ status, err }).to.deep.equal({ status: 0, err: '' });
    expect(out).to.include('The demonstration has ended').and.to.not.include('a webhook a second');
    const verified = await processes.command(['verify', '--json'], { DATA_DIR: processes.inFolder(DATA) });
    expect(JSON.parse(verified.out)).to.deep.include({ failures: [], unknownSecrets: 0 });
  }).timeout(120_000);

  it('plays nothing into a ledger that is no demonstration', async () => {
    mkdirSync(processes.inFolder(DATA));
    writeFileSync(inData('events.db'), '');
    const env = { DATA_DIR: processes.inFolder(DATA) };
    expectOneLine(await processes.run(['demo'], env), 2, /DATA_DIR: .* is that of a ledger/);
    expect(readdirSync(processes.inFolder(DATA))).to.deep.equal(['events.db']);
  }).timeout(20_000);
});
