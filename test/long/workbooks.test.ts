import { expect } from 'chai';
import fc from 'fast-check';
import * as t from 'io-ts';
import { businessCalendar } from '../../src/domain/business-day.ts';
import { parseExact, exactOrd } from '../../src/domain/exact.ts';
import { InstantText } from '../../src/domain/instant.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { payloads } from '../support/arbitraries.ts';
import { bytesOf, textOf } from '../support/asking.ts';
import { formulasIn, openedByLibreOffice } from '../support/libre-office.ts';
import { bodyOf, offRamp, onRamp } from '../support/payloads.ts';
import { deliverUnaware } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { serveApi, type ServedApi } from '../support/serve-api.ts';
import type { Cells } from '../support/workbook-cells.ts';

const SCOPES = 'audit:read+orders:read+reports:read';

const ZONE = 'Asia/Kolkata';
const textOrNull = t.union([t.string, t.null]);

const Order = t.type({
  orderId: t.string,
  status: t.string,
  fiat: t.type({ amount: t.string, currency: t.string }),
  token: t.type({ symbol: t.string, address: t.string, amount: textOrNull, baseUnits: textOrNull }),
  walletAddress: t.string,
  txnHash: textOrNull,
  commission: textOrNull,
  conversionRate: textOrNull,
  transactionId: textOrNull,
  tds: textOrNull,
  payouts: t.array(t.type({ utr: textOrNull, state: t.string })),
  createdAt: InstantText,
});

type Order = t.TypeOf<typeof Order>;

const Report = t.type({
  totals: t.array(
    t.type({ currency: t.string, orders: t.number, fiat: t.record(t.string, t.string), commission: t.string }),
  ),
});

/** What a file of XML holds of a text: LibreOffice writes control characters in one way or another, or not at all. */
const shown = (text: string): string => text.replaceAll(/_x[\dA-F]{4}_|[\p{Cc}\p{Cs}\p{Cn}\p{Zs}\uFFFD]/giu, '');

const expectText = (cell: unknown, text: string | null, place: string): void => {
  expect(typeof cell, place).to.be.oneOf(['string', 'object', 'undefined']);
  expect(shown(typeof cell === 'string' ? cell : ''), place).to.equal(shown(text ?? ''));
};

/** The very number where a double holds it, else the text with all of its digits. */
const expectAmount = (cell: unknown, amount: string | null, place: string): void => {
  if (amount === null) {
    expect(cell ?? null, place).to.equal(null);
    return;
  }
  const digits = amount.replace(/^-?[0.]*/, '').replace('.', '').length;
  expect(typeof cell, `${place}: ${amount}`).to.equal(digits <= 15 ? 'number' : 'string');
  if (typeof cell !== 'number') {
    expect(cell, place).to.equal(amount);
    return;
  }
  const [is, should] = [
    parseExact(cell.toFixed(Math.min(100, (amount.split('.')[1] ?? '').length))),
    parseExact(amount),
  ];
  expect(is !== null && should !== null && exactOrd.equals(is, should), `${place}: ${cell} for ${amount}`).to.equal(
    true,
  );
};

const tableOf = (workbook: ReadonlyMap<string, Cells>, sheet: string) => {
  const [headings = [], ...rows] = workbook.get(sheet) ?? [];
  return { rows, cell: (row: readonly unknown[], heading: string): unknown => row[headings.indexOf(heading)] };
};

const expectOrder = (cell: (heading: string) => unknown, order: Order): void => {
  const at = (heading: string): string => `${heading} of ${order.orderId}`;
  for (const [heading, text] of [
    ['Order', order.orderId],
    ["Provider's status", order.status],
    ['Currency', order.fiat.currency],
    ['Token', order.token.symbol],
    ['Token contract', order.token.address],
    ['Wallet', order.walletAddress],
    ['Transaction hash', order.txnHash],
    ['Transaction id', order.transactionId],
  ] as const) {
    expectText(cell(heading), text, at(heading));
  }
  for (const [heading, amount] of [
    ['Amount', order.fiat.amount],
    ['Commission', order.commission],
    ['Conversion rate', order.conversionRate],
    ['TDS', order.tds],
    ['Token amount', order.token.amount],
    ['Base units', order.token.baseUnits],
  ] as const) {
    expectAmount(cell(heading), amount, at(heading));
  }
  const created = cell(`Created (${ZONE})`);
  if (created instanceof Date) {
    expect(created.getTime(), at('Created')).to.be.closeTo(businessCalendar(ZONE).wallClock(order.createdAt), 1);
  } else expect(created, at('Created')).to.equal(order.createdAt);
};

const ODD = [
  onRamp({ orderId: '00123', fiat: 1, metaData: { commission: '123456789012345.6', conversionRate: '0.1' } }),
  offRamp({ orderId: '=1+1', transactionId: '=HYPERLINK("http://x.example","y")', tenantId: '+1|-1', utr: '@SUM(1)' }),
  offRamp({ orderId: 'a;=1+1;b', transactionId: '\t=1+1\r\n=2+2', tenantId: "'=1" }),
];

/** LibreOffice of the Debian package libreoffice-calc-nogui: a spreadsheet that finance may have, and none of ours. */
describe('workbooks, opened by LibreOffice', () => {
  let api: ServedApi;

  beforeEach(async () => {
    api = await serveApi();
  });
  afterEach(() => api.close());

  const orders = async (): Promise<readonly Order[]> =>
    (await textOf(api, '/v1/exports/orders?format=ndjson', SCOPES))
      .split('\n')
      .slice(0, -1)
      .map((line) => right(Order.decode(JSON.parse(line))));

  it('of orders show every cell as it is in the ledger, and what their sheets come to', async () => {
    const batches = fc.array(payloads, { minLength: 60, maxLength: 60, size: 'max' });
    await fc.assert(
      fc.asyncProperty(batches, async (batch) => {
        await api.close();
        api = await serveApi();
        for (const payload of [...ODD, ...batch]) await deliverUnaware(api.store, bodyOf(payload));
        const workbook = await openedByLibreOffice(await bytesOf(api, '/v1/exports/orders?format=xlsx', SCOPES));
        const [known, { rows, cell }] = [await orders(), tableOf(workbook, 'Orders')];
        expect(rows).to.have.length(known.length);
        known.forEach((order, i) => expectOrder((heading) => cell(rows[i] ?? [], heading), order));
        const payouts = known.flatMap((order) => order.payouts.map(({ utr }) => ({ utr, order })));
        const sheet = tableOf(workbook, 'Payouts');
        expect(sheet.rows).to.have.length(payouts.length);
        payouts.forEach(({ utr, order }, i) => {
          const row = sheet.rows[i] ?? [];
          expectText(sheet.cell(row, 'UTR'), utr, `payout ${i}`);
          expectAmount(sheet.cell(row, 'Amount of the order'), order.fiat.amount, `payout ${i}`);
        });
      }),
      // Each try opens LibreOffice: what fails is told as it is.
      { numRuns: 4, endOnFailure: true },
    );
  });

  it('of a report show every total as it is in the report', async () => {
    for (const payload of fc.sample(payloads, 80)) await deliverUnaware(api.store, bodyOf(payload));
    const workbook = await openedByLibreOffice(
      await bytesOf(api, '/v1/reports/onramp?format=xlsx&groupBy=day', SCOPES),
    );
    const { totals } = right(Report.decode(JSON.parse(await textOf(api, '/v1/reports/onramp?groupBy=day', SCOPES))));
    for (const name of ['Report', 'Totals']) {
      const { rows, cell } = tableOf(workbook, name);
      const shownTotals = rows.slice(-totals.length);
      totals.forEach(({ currency, orders: count, fiat, commission }, i) => {
        const row = shownTotals[i] ?? [];
        expectText(cell(row, 'Currency'), currency, name);
        expect(cell(row, 'Orders'), name).to.equal(count);
        expectAmount(cell(row, 'Order value'), fiat['asked'] ?? null, `${name} ${currency}`);
        expectAmount(cell(row, 'Settled'), fiat['settled'] ?? null, `${name} ${currency}`);
        expectAmount(cell(row, 'Commission'), commission, `${name} ${currency}`);
      });
    }
  });

  it('of a close show its figures, its digests and its note', async () => {
    await deliverUnaware(api.store, bodyOf(onRamp({ orderId: 'mar', status: 'completed', fiat: 1051823.63 })));
    const despite = ['month-over', 'earlier-closed', 'clock-anomalies', 'quarantine'];
    const body = JSON.stringify({ note: '=1+1\nsigned off', despite });
    const closed = await api.ask('/v1/periods/2023-03/close', 'periods:write', { method: 'POST', body });
    expect(closed.status, await closed.text()).to.equal(200);
    const bytes = await bytesOf(api, '/v1/periods/2023-03/workbook', SCOPES);
    expect(await formulasIn(bytes, { ending: 'xlsx' })).to.equal(0);
    const workbook = await openedByLibreOffice(bytes);
    const about = new Map((workbook.get('Close') ?? []).map(([name, value]) => [name, value]));
    expect(about.get('Note')).to.equal('=1+1\nsigned off');
    const report = await textOf(api, '/v1/reports/onramp?period=2023-03', SCOPES);
    expect(about.get('SHA-256, on-ramp report')).to.equal(sha256(report));
    const { rows, cell } = tableOf(workbook, 'On-ramp created');
    expect(rows.map((row) => cell(row, 'Settled'))).to.deep.equal([1051823.63, 1051823.63]);
    expect(workbook.get('Readiness')?.flat()).to.include('The month is over');
  });

  it('run nothing that came, nor does CSV, whatever stands between its cells there', async () => {
    for (const payload of ODD) await deliverUnaware(api.store, bodyOf(payload));
    expect(await formulasIn(await bytesOf(api, '/v1/exports/orders?format=xlsx', SCOPES), { ending: 'xlsx' })).to.equal(
      0,
    );
    const csv = await bytesOf(api, '/v1/exports/orders?format=csv', SCOPES);
    for (const between of [',', ';', '\t'] as const) {
      expect(await formulasIn(Buffer.from(`a${between}=1+1`), { ending: 'csv', between }), 'unguarded').to.equal(1);
      expect(await formulasIn(csv, { ending: 'csv', between }), between).to.equal(0);
    }
  });
});
