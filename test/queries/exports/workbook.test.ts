import { createHash } from 'node:crypto';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import fc from 'fast-check';
import { unzipSync } from 'fflate';
import readExcelFile, { readSheet } from 'read-excel-file/node';
import { fitsInSheet } from '../../../src/queries/exports/fits-in-sheet.ts';
import type { ExportRequest } from '../../../src/queries/exports/export-request.ts';
import { problemOf } from '../../../src/api/problem-of.ts';
import { numberCell, textCell } from '../../../src/queries/tables/workbook/workbook-cell.ts';
import { parseBusinessDay } from '../../../src/domain/business-day.ts';
import { parseDecimal } from '../../../src/domain/decimal.ts';
import { exactOf, exactOrd } from '../../../src/domain/exact.ts';
import { decimalTexts } from '../../support/arbitraries.ts';
import { bytesOf } from '../../support/asking.ts';
import { bodyOf, offRamp, onRamp } from '../../support/payloads.ts';
import { deliverUnaware } from '../../support/quarantine-scene.ts';
import { right } from '../../support/right.ts';
import { NOW } from '../../support/route-dependencies.ts';
import { serveApi, type ServedApi } from '../../support/serve-api.ts';
import { there } from '../../support/sqlite-read-models.ts';

const SCOPES = 'audit:read+orders:read+reports:read';

const textOfCell = (cell: unknown): string =>
  typeof cell === 'string' || typeof cell === 'number' ? String(cell) : '';

describe('workbooks', () => {
  let api: ServedApi;

  beforeEach(async () => {
    api = await serveApi();
  });
  afterEach(() => api.close());

  const giveOdd = async (): Promise<void> => {
    const meta = { metaData: { conversionRate: '90.20', commission: '123456789012345.6' } };
    const wei = { transferredAmountWei: '10000000000000000', transferredAmount: '-0.5' };
    const text = JSON.stringify(
      onRamp({ orderId: '00123', fiat: 7, currency: 'INR', status: 'completed', ...meta, ...wei }),
    );
    await deliverUnaware(api.store, bodyOf(text.replace('"fiat":7', '"fiat":1051823.63')));
    const odd = { transactionId: '=1+1', tenantId: '_x0041_ \u0007 <&>', utr: '412345678901' };
    await deliverUnaware(
      api.store,
      bodyOf(offRamp({ orderId: '=cmd|x', status: 'PayoutSuccess', created_at: '2023-02-01T00:00:00.000Z', ...odd })),
    );
  };

  it('of orders have a number where a spreadsheet keeps its digits, else a text, and run nothing', async () => {
    await giveOdd();
    const bytes = await bytesOf(api, '/v1/exports/orders?format=xlsx', SCOPES);
    const [header = [], first = [], second = []] = await readSheet(bytes, 'Orders');
    const cell = (row: readonly unknown[], name: string): unknown => row[header.indexOf(name)];
    expect(cell(first, 'Order')).to.equal('00123');
    expect(cell(first, 'Amount')).to.equal(1051823.63);
    expect(cell(first, 'Base units')).to.equal('10000000000000000');
    expect(cell(first, 'Chain')).to.equal(80001);
    expect(cell(first, 'Commission')).to.equal('123456789012345.6');
    expect(cell(second, 'Order')).to.equal('=cmd|x');
    expect(cell(second, 'Transaction id')).to.equal('=1+1');
    expect(cell(second, 'UTRs')).to.equal('412345678901');
    expect(cell(second, 'Phase')).to.equal('Settled');
    expect(cell(second, 'Status')).to.equal('Paid out');
    // Midnight in UTC is half past five in the zone of the days.
    expect(cell(second, 'Created (Asia/Kolkata)')).to.deep.equal(new Date('2023-02-01T05:30:00.000Z'));
    for (const [name, part] of Object.entries(unzipSync(bytes))) {
      expect(Buffer.from(part).toString(), name).to.not.match(/<f[ >]/);
    }
  });

  it('of orders have sheets for totals, payouts, tokens, and what they are of', async () => {
    await giveOdd();
    const bytes = await bytesOf(api, '/v1/exports/orders?format=xlsx&from=2023-01-01', SCOPES);
    expect((await readExcelFile(bytes)).map(({ sheet }) => sheet)).to.deep.equal([
      'Orders',
      'Totals',
      'Payouts',
      'Tokens',
      'About',
    ]);
    const [totals = [], onRamp = [], onRampTotal = [], offRamp = []] = await readSheet(bytes, 'Totals');
    expect(totals).to.deep.equal(['Flow', 'Currency', 'Phase', 'Orders', 'Amount', 'Commission', 'TDS']);
    expect(onRamp).to.deep.equal(['On-ramp', 'INR', 'Settled', 1, 1051823.63, '123456789012345.6', 0]);
    expect(onRampTotal).to.deep.equal(['On-ramp', 'INR', 'Total', 1, 1051823.63, '123456789012345.6', 0]);
    expect(offRamp.slice(0, 4)).to.deep.equal(['Off-ramp', 'INR', 'Settled', 1]);
    const [, payout = [], ...noMore] = await readSheet(bytes, 'Payouts');
    expect(payout.slice(0, 3)).to.deep.equal(['412345678901', 'Paid', '=cmd|x']);
    expect(noMore).to.deep.equal([]);
    const [, ...tokens] = await readSheet(bytes, 'Tokens');
    expect(tokens[0]?.slice(0, 7)).to.deep.equal(['On-ramp', 'MATIC', 80001, 'Settled', 1, -0.5, '10000000000000000']);
    expect(tokens).to.have.length(2);
    const about = new Map((await readSheet(bytes, 'About')).map(([name, value]) => [textOfCell(name), value]));
    expect(about.get('Title')).to.equal('Orders, created from 1 January 2023 on, Asia/Kolkata');
    expect(about.get('Filter: From day')).to.equal('2023-01-01');
    expect(about.get('Time zone of days and times')).to.equal('Asia/Kolkata');
    expect(about.get('As of position of the log')).to.equal('1');
    const ndjson = await bytesOf(api, '/v1/exports/orders?format=ndjson&from=2023-01-01', SCOPES);
    expect(about.get('SHA-256 of the orders')).to.equal(createHash('sha256').update(ndjson).digest('hex'));
    expect(await bytesOf(api, '/v1/exports/orders?format=xlsx&from=2023-01-01', SCOPES), 'asked again').to.deep.equal(
      bytes,
    );
  });

  it('of a report have its rows, its totals, and what it is of', async () => {
    await giveOdd();
    const bytes = await bytesOf(api, '/v1/reports/onramp?groupBy=token&format=xlsx&from=2023-01-01', SCOPES);
    const [header = [], row = [], total = []] = await readSheet(bytes, 'Report');
    expect(row[header.indexOf('Order value')]).to.equal(1051823.63);
    expect(row[header.indexOf('Commission')]).to.equal('123456789012345.6');
    expect(row[header.indexOf('Token')]).to.equal('MATIC');
    expect(row[header.indexOf('Orders: Completed (completed)')]).to.equal(1);
    expect(total[0]).to.equal('Total');
    expect(total[header.indexOf('Order value')]).to.equal(1051823.63);
    expect((await readSheet(bytes, 'Totals'))[1]).to.include(1051823.63);
    const [tokenHeader = [], token = []] = await readSheet(bytes, 'Tokens');
    expect(tokenHeader).to.deep.equal([
      'Currency',
      'Token',
      'Chain',
      'Transferred',
      'Conversion rate, weighted',
      'Base units',
      'Token contract',
    ]);
    expect(token).to.include('10000000000000000');
    const about = await readSheet(bytes, 'About');
    expect(about).to.deep.include(['Title', 'On-ramp, created from 1 January 2023 on, Asia/Kolkata']);
    expect(about).to.deep.include(['Time zone of days', 'Asia/Kolkata']);
    expect(about).to.deep.include(['As of position of the log', '1']);
    const json = await bytesOf(api, '/v1/reports/onramp?groupBy=token&from=2023-01-01', SCOPES);
    expect(about).to.deep.include(['SHA-256 of the report', createHash('sha256').update(json).digest('hex')]);
  });

  it('are named by flow and days', async () => {
    const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    const month = 'from=2026-10-01&to=2026-10-31';
    for (const [path, name] of [
      ['/v1/reports/onramp', 'onramp-report-created'],
      [`/v1/reports/offramp?basis=settled&${month}`, 'offramp-report-settled-2026-10'],
      ['/v1/reports/offramp?from=2026-10-05', 'offramp-report-created-from-2026-10-05'],
      [`/v1/exports/orders?format=xlsx&flow=offramp&${month}`, 'orders-offramp-2026-10'],
      ['/v1/exports/orders?format=xlsx&to=2026-10-05', 'orders-to-2026-10-05'],
    ] as const) {
      const answer = await api.ask(path, SCOPES, { headers: { Accept: type } });
      expect(answer.headers.get('Content-Disposition'), path).to.equal(`attachment; filename="${name}.xlsx"`);
      await answer.arrayBuffer();
    }
  });

  it('hold each number as the very number, or as the text of it', () => {
    fc.assert(
      fc.property(decimalTexts, (text) => {
        const decimal = parseDecimal(text);
        if (decimal === null) return;
        const cell = numberCell(decimal);
        if (typeof cell === 'string') expect(cell).to.equal(decimal);
        else expect(exactOrd.equals(exactOf(parseDecimal(String(cell)) ?? decimal), exactOf(decimal))).to.equal(true);
        expect(typeof cell).to.equal(
          decimal.replace(/^-?[0.]*/, '').replace('.', '').length <= 15 ? 'number' : 'string',
        );
      }),
    );
    expect(textCell('x'.repeat(32_767))).to.have.length(32_767);
    expect(textCell('x'.repeat(32_768))).to.match(/^\(32768 characters/);
  });

  it('are refused where a sheet has too few rows, by what the filter lets through', async () => {
    for (const orderId of ['a', 'b', 'c']) await deliverUnaware(api.store, bodyOf(onRamp({ orderId })));
    await deliverUnaware(api.store, bodyOf(onRamp({ orderId: 'd', createdAt: '2022-01-01T00:00:00.000Z' })));
    const none = { flow: null, status: null, currency: null, token: null, chainId: null, phase: null, anomaly: null };
    const request = (format: 'xlsx' | 'csv', to: string | null): ExportRequest => ({
      kind: 'orders',
      format,
      personal: 'masked',
      filters: {},
      timeZone: 'UTC',
      now: NOW,
      filter: { ...none, basis: 'created', from: null, to: to === null ? null : there(parseBusinessDay(to)), q: null },
    });
    const snapshot = right(await api.readModels.snapshot()());
    const fits = (asked: ExportRequest, most: number) => fitsInSheet(snapshot, asked, most)();
    expect(await fits(request('xlsx', null), 4)).to.deep.equal(E.right(undefined));
    expect(await fits(request('csv', null), 3)).to.deep.equal(E.right(undefined));
    expect(await fits(request('xlsx', '2022-12-31'), 1)).to.deep.equal(E.right(undefined));
    const refused = await fits(request('xlsx', null), 3);
    expect(E.mapLeft(problemOf)(refused)).to.have.property('left').that.includes({
      status: 400,
      code: 'invalid-parameter',
      detail: 'format: xlsx holds 3 rows, and there are more; take csv, or narrow it down by filters',
    });
  });
});
