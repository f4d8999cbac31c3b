import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import * as E from 'fp-ts/lib/Either.js';
import fc from 'fast-check';
import * as t from 'io-ts';
import { readSheet } from 'read-excel-file/node';
import { fitsInSheet } from '../../../src/queries/exports/fits-in-sheet.ts';
import type { ExportRequest } from '../../../src/queries/exports/export-request.ts';
import { problemOf } from '../../../src/api/problem-of.ts';
import { numberCell, textCell } from '../../../src/queries/tables/xlsx-cell.ts';
import { parseBusinessDay } from '../../../src/domain/business-day.ts';
import { parseDecimal } from '../../../src/domain/decimal.ts';
import { exactOf, exactOrd } from '../../../src/domain/exact.ts';
import { decimalTexts } from '../../support/arbitraries.ts';
import { bodyOf, offRamp, onRamp } from '../../support/payloads.ts';
import { deliverUnaware } from '../../support/quarantine-scene.ts';
import { right } from '../../support/right.ts';
import { NOW } from '../../support/route-dependencies.ts';
import { serveApi, type ServedApi } from '../../support/serve-api.ts';
import { there } from '../../support/sqlite-read-models.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SCOPES = 'audit:read+orders:read+reports:read';

const HAS_LIBREOFFICE = spawnSync('soffice', ['--version']).status === 0;

type Cells = readonly (readonly unknown[])[];

/** The first sheet as LibreOffice shows it, where it is installed, else as an independent reader reads it. */
const shownBySpreadsheet = async (bytes: Buffer, ending: 'xlsx' | 'csv'): Promise<Cells> => {
  const folder = temporaryFolder();
  try {
    const file = join(folder.path, `opened.${ending}`);
    writeFileSync(file, bytes);
    if (!HAS_LIBREOFFICE)
      return ending === 'csv' ? right(t.array(t.array(t.unknown)).decode(parse(bytes))) : await readSheet(file);
    const profile = `-env:UserInstallation=file://${folder.path}/profile`;
    const to = [
      '--convert-to',
      // Numbers as they are, not as they are shown.
      'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,false',
      '--outdir',
      join(folder.path, 'shown'),
      file,
    ];
    execFileSync('soffice', [profile, '--headless', ...to], { stdio: 'ignore' });
    return right(t.array(t.array(t.unknown)).decode(parse(readFileSync(join(folder.path, 'shown', 'opened.csv')))));
  } finally {
    folder.remove();
  }
};

describe('workbooks', () => {
  let api: ServedApi;

  beforeEach(async () => {
    api = await serveApi();
  });
  afterEach(() => api.close());

  const bytesOf = async (path: string): Promise<Buffer> => {
    const response = await api.ask(path, SCOPES);
    expect(response.status, path).to.equal(200);
    return Buffer.from(await response.arrayBuffer());
  };

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
    const [header = [], first = [], second = []] = await shownBySpreadsheet(
      await bytesOf('/v1/exports/orders?format=xlsx'),
      'xlsx',
    );
    const cell = (row: readonly unknown[], name: string): unknown => row[header.indexOf(name)];
    const number = (value: number): unknown => (HAS_LIBREOFFICE ? String(value) : value);
    expect(cell(first, 'Order')).to.equal('00123');
    expect(cell(first, 'Amount')).to.equal(number(1051823.63));
    expect(cell(first, 'Base units')).to.equal('10000000000000000');
    expect(cell(first, 'Chain')).to.equal(number(80001));
    expect(cell(first, 'Commission')).to.equal('123456789012345.6');
    expect(cell(second, 'Order')).to.equal('=cmd|x');
    expect(cell(second, 'Transaction id')).to.equal('=1+1');
    expect(cell(second, 'UTRs')).to.equal('412345678901');
  });

  it('of a report have its rows, its totals, and what it is of', async () => {
    await giveOdd();
    const bytes = await bytesOf('/v1/reports/onramp?groupBy=token&format=xlsx&from=2023-01-01');
    const [header = [], row = []] = await readSheet(bytes, 'report');
    expect(row[header.indexOf('Order value')]).to.equal(1051823.63);
    expect(row[header.indexOf('Commission')]).to.equal('123456789012345.6');
    expect(row[header.indexOf('Token')]).to.equal('MATIC');
    expect((await readSheet(bytes, 'totals'))[1]).to.include(1051823.63);
    const [tokenHeader = [], token = []] = await readSheet(bytes, 'tokens');
    expect(tokenHeader.slice(1)).to.deep.equal([
      'Currency',
      'Token',
      'Token contract',
      'Chain',
      'Amount',
      'Base units',
      'Conversion rate, weighted',
    ]);
    expect(token).to.include('10000000000000000');
    const about = await readSheet(bytes, 'about');
    expect(about).to.deep.include(['Time zone', 'Asia/Kolkata']);
    expect(about).to.deep.include(['From', '2023-01-01']);
    expect(about).to.deep.include(['As of position', '1']);
    const accepted = await api.ask('/v1/reports/onramp', SCOPES, {
      headers: { Accept: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
    });
    expect(accepted.headers.get('Content-Disposition')).to.equal('attachment; filename="onramp-report-created.xlsx"');
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
    expect(textCell('_x0041_ and _X00')).to.equal('_x005F_x0041_ and _X00');
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
