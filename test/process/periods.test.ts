import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { sha256 } from '../../src/domain/sha256.ts';
import { deliver } from '../support/exchange.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { at } from '../support/naive-json.ts';
import { offRamp, onRamp } from '../support/payloads.ts';
import { ask, expectOneLine, expectOrderlyEnd, processFixture } from './process-fixture.ts';

/** The last orders of March in India, and the first of April, which are of March elsewhere. */
const [MARCH, END_OF_MARCH, APRIL] = ['2026-03-05T06:31:08Z', '2026-03-31T18:00:00Z', '2026-03-31T20:00:00Z'];

const DELIVERIES: readonly JsonObject[] = [
  onRamp({ orderId: 'on-1', createdAt: MARCH, status: 'completed', updated_at: MARCH, fiat: 100.25 }),
  onRamp({ orderId: 'on-2', createdAt: END_OF_MARCH, status: 'orderReceived', fiat: 7 }),
  offRamp({ orderId: 'off-1', created_at: MARCH, status: 'PayoutSuccess', updated_at: END_OF_MARCH, utr: 'U1' }),
  onRamp({ orderId: 'on-3', createdAt: APRIL, status: 'completed', updated_at: APRIL, fiat: 31 }),
];

/** What comes after the close. */
const LATE: readonly JsonObject[] = [
  onRamp({ orderId: 'on-1', createdAt: MARCH, status: 'refunded', fiat: 100.25 }),
  onRamp({ orderId: 'on-2', createdAt: END_OF_MARCH, status: 'completed', fiat: 7 }),
  onRamp({ orderId: 'on-4', createdAt: END_OF_MARCH, status: 'fiatPending', fiat: 3.5 }),
  offRamp({ orderId: 'off-2', created_at: APRIL, status: 'pending' }),
];

const CLOSED = [
  '/v1/reports/onramp?period=2026-03',
  '/v1/reports/onramp?period=2026-03&basis=settled&groupBy=day,token',
  '/v1/reports/offramp?period=2026-03&groupBy=month,chain&format=csv',
  '/v1/periods/2026-03/workbook',
];

describe('a closed month', () => {
  const ledger = processFixture();
  const env = (timeZone: string, over: Readonly<Record<string, string>> = {}) =>
    ledger.env({ BUSINESS_TIME_ZONE: timeZone, LOG_LEVEL: 'fatal', ...over });

  const answers = async (url: string): Promise<readonly string[]> => {
    const texts: string[] = [];
    for (const path of CLOSED) texts.push((await ask(url, path)).text);
    return texts;
  };
  /** The sum of a measure of on-ramp orders over all months and over all time. */
  const sums = async (url: string, basis: string): Promise<readonly (readonly [number, number])[]> => {
    const total = (report: unknown, ...names: readonly string[]): number => {
      const totals: unknown = at(report, 'totals');
      const first: unknown = Array.isArray(totals) ? totals.at(0) : undefined;
      return Number(at(first, ...names) ?? 0);
    };
    const reportOf = async (query: string): Promise<unknown> =>
      JSON.parse((await ask(url, `/v1/reports/onramp?basis=${basis}${query}`)).text);
    const months = ['2026-03', '2026-04', '2026-05', '2026-06', '2026-07', '2026-08', '2026-09', '2026-10', '2026-11'];
    const all = await reportOf('');
    const found: unknown = at(JSON.parse((await ask(url, '/v1/periods/2026-03/adjustments')).text), 'data');
    const row: unknown = (Array.isArray(found) ? found : []).find(
      (one) => at(one, 'flow') === 'onramp' && at(one, 'basis') === basis,
    );
    const compared: (readonly [number, number])[] = [];
    for (const names of [['orders'], ['fiat', 'asked'], ['fiat', 'settled'], ['fiat', 'refunded']]) {
      let sum = 0;
      for (const month of months) sum += total(await reportOf(`&period=${month}`), ...names);
      const changed = row === undefined ? undefined : at(at(row, 'measures'), names.join('.'));
      sum += changed === undefined ? 0 : Number(at(changed, 'difference'));
      compared.push([sum, total(all, ...names)]);
    }
    return compared;
  };

  it('answers the same bytes after late events, a restart in another zone, a replay and a migration, and everything sums up', async () => {
    const india = env('Asia/Kolkata');
    const serving = await ledger.serve(india);
    for (const payload of DELIVERIES) await deliver(serving.url, payload);
    const run = (command: string, where = india) => ledger.command(command.split(' '), where);
    expectOneLine(await run('period close 2026-03 --despite weather'), 2, /--despite: expected/);
    expectOneLine(await run('period close march'), 2, /--period: expected/);
    expectOneLine(await run('period close 2020-01'), 1, /no such month: it lies before the first figures/);
    // The clock is of today: on-2 is not overdue, since it is past fiatPending.
    const closed = await run('period close 2026-03 --note signed:asha@example.com --pii --json');
    expect([closed.status, closed.err]).to.deep.equal([0, '']);
    expect(JSON.parse(closed.out)).to.include({
      state: 'closed',
      closedBy: 'command-line',
      note: 'signed:asha@example.com',
    });
    expect((await ask(serving.url, '/v1/periods/2026-03')).text).to.equal(closed.out.trimEnd());
    expectOneLine(await run('period close 2026-03'), 1, /closed already/);
    const fixed = await answers(serving.url);
    for (const payload of LATE) await deliver(serving.url, payload);
    const position = at(JSON.parse((await deliver(serving.url, LATE[0] ?? {})).text), 'position');
    await ask(serving.url, `/v1/reports/onramp?position=${String(position)}`);
    expect(await answers(serving.url)).to.deep.equal(fixed);
    const adjusted = (await ask(serving.url, '/v1/periods/2026-03/adjustments')).text;
    expect((await run('period adjustments 2026-03 --json')).out.trimEnd()).to.equal(adjusted);
    expect((await run('period adjustments 2026-03 --pii --json')).out.trimEnd()).to.equal(adjusted);
    expect(adjusted).to.include('"on-1"').and.to.include('"on-2"').and.to.include('"on-4"');
    for (const basis of ['created', 'settled']) {
      for (const [sum, all] of await sums(serving.url, basis)) expect(sum, basis).to.equal(all);
    }
    serving.signal('SIGTERM');
    expectOrderlyEnd(await serving.finished, ledger.inFolder('data'));

    const target = ledger.inFolder('copy', 'events.db');
    const migrated = await run(`migrate --from sqlite:${ledger.inFolder('data', 'events.db')} --to sqlite:${target}`);
    expect(migrated.status, migrated.err).to.equal(0);
    const elsewhere = { EVENT_STORE_URL: `sqlite:${target}`, DATA_DIR: ledger.inFolder('elsewhere') };
    for (const where of [env('America/New_York'), env('UTC', elsewhere)]) {
      const again = await ledger.serveHere(where);
      expect(await answers(again.url)).to.deep.equal(fixed);
      expect(JSON.parse((await ask(again.url, '/v1/periods/2026-03')).text)).to.include({ timeZone: 'Asia/Kolkata' });
      for (const basis of ['created', 'settled']) {
        for (const [sum, all] of await sums(again.url, basis)) expect(sum, basis).to.equal(all);
      }
      expect((await ask(again.url, '/v1/periods/2026-03/adjustments')).text).to.equal(adjusted);
      const replayed = await run('replay', where);
      expect(replayed.status, replayed.err).to.equal(0);
      expect(await answers(again.url)).to.deep.equal(fixed);
      const verified = await run('verify --json', where);
      expect([verified.status, JSON.parse(verified.out)]).to.deep.include(0);
      await again.stop();
    }
    const shown = await run('period list');
    expect(shown.out)
      .to.match(/2026-03 +closed/)
      .and.to.include('signed:a***@example.com');
    const out = ledger.inFolder('data', 'march.xlsx');
    expect((await run(`period workbook 2026-03 --out ${out}`)).status).to.equal(0);
    const book = await run(`period workbook 2026-03 --out ${out} --pii --json`);
    expect([book.status, book.err]).to.deep.equal([0, '']);
    expect(JSON.parse(book.out)).to.deep.equal(JSON.parse(readFileSync(`${out}.manifest.json`, 'utf8')));
    expect(JSON.parse(book.out)).to.include({ period: '2026-03', sha256: sha256(readFileSync(out)) });
    expect(readFileSync(out).toString()).to.equal(fixed.at(-1));
    expectOneLine(await run(`period workbook 2026-04 --out ${out}`), 1, /the month is open/);
    const reopened = await run('period reopen 2026-03 --note wrong:ravi@example.com --json');
    expect(JSON.parse(reopened.out)).to.include({ state: 'open' });
    expect(reopened.out).to.include('signed:a***@example.com').and.to.include('wrong:r***@example.com');
    expect((await run('period show 2026-03')).out).to.match(/reopened.*wrong:r\*\*\*@example\.com/);
    expect((await run('period show 2026-03 --pii')).out).to.match(/reopened.*wrong:ravi@example\.com/);
    expect((await run('report onramp --period 2026-03 --json')).out).not.to.equal(`${fixed[0] ?? ''}\n`);
    expect((await run('report onramp --as-of 4 --json')).out).to.include('"position":"4"');
    expect((await run('orders --as-of 1 --json')).out)
      .to.include('"on-1"')
      .and.not.to.include('"on-2"');
    const again = await run('period close 2026-03 --despite clock-anomalies');
    expect([again.status, again.err]).to.deep.equal([
      0,
      'closed despite clock-anomalies, and nothing says why: --note does\n',
    ]);
  }).timeout(60_000);
});
