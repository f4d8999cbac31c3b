import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import * as E from 'fp-ts/lib/Either.js';
import type { JsonObject } from '../../src/domain/json.ts';
import { ExactNumber } from '../../src/domain/json.ts';
import { ReportResource } from '../../src/queries/reports/report-resource.ts';
import { CSV, XLSX } from '../../src/replies/media-types.ts';
import type { Recorded } from '../../src/ledger/recorded.ts';
import { bytesOf, expectRefused, expectScopes, listOf, refusalOf, textOf } from '../support/asking.ts';
import { bodyOf, offRamp, onRamp } from '../support/payloads.ts';
import { deliverUnaware } from '../support/quarantine-scene.ts';
import { right } from '../support/right.ts';
import { NOW } from '../support/route-dependencies.ts';
import { keyText, serveApi, type ServedApi } from '../support/serve-api.ts';
import { readXlsxSheets } from '../support/workbook-cells.ts';
import { reportedOrders } from './reported-orders.ts';

const ON = '/v1/reports/onramp';
const OFF = '/v1/reports/offramp';
const SCOPE = 'reports:read';

describe('reports', () => {
  let api: ServedApi;

  beforeEach(async () => {
    api = await serveApi();
  });
  afterEach(() => api.close());

  const give = (payload: JsonObject): Promise<Recorded> => deliverUnaware(api.store, bodyOf(payload));

  const giveOrders = async (): Promise<void> => {
    for (const order of reportedOrders()) await give(order);
  };

  it('has the members of the contract, in their order', async () => {
    await give(onRamp({ orderId: 'a', status: 'completed', fiat: 100, metaData: { commission: '0' } }));
    const sums = {
      currency: 'INR',
      orders: 1,
      byStatus: { completed: 1 },
      fiat: {
        asked: '100',
        settled: '100',
        refunded: '0',
        refunding: '0',
        expired: '0',
        deemed: '0',
        failed: '0',
        open: '0',
      },
      tokens: [
        {
          symbol: 'MATIC',
          address: '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee',
          chainId: 80001,
          amount: '0.01',
          baseUnits: '10000000000000000',
          averageConversionRate: null,
        },
      ],
      commission: '0',
      tds: '0',
      anomalies: 0,
    };
    expect(await textOf(api, `${ON}?groupBy=chain,day,token&from=2023-03-01`, SCOPE)).to.equal(
      JSON.stringify({
        flow: 'onramp',
        basis: 'created',
        timeZone: 'Asia/Kolkata',
        from: '2023-03-01',
        to: null,
        groupBy: ['chain', 'day', 'token'],
        asOf: { position: '0', at: NOW },
        rows: [{ day: '2023-03-01', token: 'MATIC', chainId: 80001, ...sums }],
        totals: [sums],
      }),
    );
  });

  it('is empty, and as of nothing, before the first event', async () => {
    expect(await textOf(api, OFF, SCOPE)).to.equal(
      '{"flow":"offramp","basis":"created","timeZone":"Asia/Kolkata","from":null,"to":null,"groupBy":[],"asOf":{"position":null,"at":null},"rows":[],"totals":[]}',
    );
    expect(await textOf(api, `${OFF}?format=csv&groupBy=month`, SCOPE)).to.equal(
      '"month","currency","orders","fiat.asked","fiat.settled","fiat.refunded","fiat.refunding","fiat.expired","fiat.deemed","fiat.failed","fiat.open","commission","tds","anomalies"\r\n',
    );
  });

  it('is of one flow, and of the business days of its basis', async () => {
    await giveOrders();
    await give(offRamp({ orderId: 'off', status: 'PayoutSuccess', updated_at: '2023-03-02T00:00:00Z' }));
    const orders = async (query: string): Promise<string> => {
      const text = await textOf(api, query, SCOPE);
      return [...text.slice(0, text.indexOf('"totals"')).matchAll(/"orders":(\d+)/g)].map(([, count]) => count).join();
    };
    expect(await orders(`${ON}?groupBy=currency`)).to.equal('3,1');
    expect(await orders(`${ON}?groupBy=day`)).to.equal('1,2,1');
    expect(await orders(`${ON}?from=2023-03-01&to=2023-03-01`)).to.equal('2,1');
    expect(await orders(`${ON}?to=2023-02-28`)).to.equal('1');
    expect(await orders(`${ON}?basis=settled`)).to.equal('2');
    expect(await orders(`${ON}?basis=settled&from=2023-04-01`)).to.equal('1');
    expect(await orders(OFF)).to.equal('1');
  });

  it('stands for the orders of the list with the filters of its cell', async () => {
    await giveOrders();
    const cell = 'flow=onramp&from=2023-03-01&to=2023-03-01&currency=INR&token=USDT&chainId=137';
    const { data } = await listOf(api, `/v1/orders?${cell}`, 'orders:read');
    expect(data.map(({ orderId }) => orderId)).to.deep.equal(['b']);
    expect(await textOf(api, `${ON}?groupBy=day,token,chain&from=2023-03-01&to=2023-03-01`, SCOPE)).to.include(
      '"token":"USDT","chainId":137,"currency":"INR","orders":1,"byStatus":{"completed":1},"fiat":{"asked":"50.25"',
    );
  });

  it('is of one currency alone where one is named, in every form', async () => {
    await giveOrders();
    const [all, one] = [`${ON}?groupBy=day`, `${ON}?groupBy=day&currency=usd`];
    const reportAt = async (path: string) => right(ReportResource.decode(JSON.parse(await textOf(api, path, SCOPE))));
    const whole = await reportAt(all);
    const rows = whole.rows.filter(({ currency }) => currency === 'USD');
    expect([rows.length, whole.rows.length > 1], 'one of several').to.deep.equal([1, true]);
    const totals = whole.totals.filter(({ currency }) => currency === 'USD');
    expect(await reportAt(one)).to.deep.equal({ ...whole, rows, totals });
    expect((await textOf(api, `${one}&format=csv`, SCOPE)).match(/"(INR|USD)"/g)).to.deep.equal(['"USD"']);
    for (const path of [`${one}&format=xlsx`, '/v1/reports/workbook?currency=USD']) {
      const said = JSON.stringify([...(await readXlsxSheets(await bytesOf(api, path, SCOPE)))]);
      expect(said, path).to.include('USD alone').and.not.to.include('INR');
    }
  });

  it('keeps any status as a member, and every digit of a chain', async () => {
    await give(onRamp({ status: '__proto__', chainId: new ExactNumber('9007199254740993') }));
    await give(onRamp({ status: 'constructor', chainId: new ExactNumber('9007199254740993') }));
    const text = await textOf(api, `${ON}?groupBy=chain`, SCOPE);
    expect(text).to.include('"byStatus":{"__proto__":1,"constructor":1}').and.to.include('"chainId":9007199254740993,');
    expect(await textOf(api, `${ON}?groupBy=chain&format=csv`, SCOPE)).to.include(
      '"byStatus.__proto__","byStatus.constructor",',
    );
  });

  it('shows e-mail addresses to those alone who may see them', async () => {
    await give(onRamp({ status: 'held by asha@example.com', buyTokenSymbol: 'a@example.com' }));
    await give(onRamp({ status: 'held by anil@example.com', buyTokenSymbol: 'a@example.com' }));
    await give(onRamp({ status: 'name checked' }));
    for (const query of ['', '&format=csv']) {
      const masked = await textOf(api, `${ON}?groupBy=token${query}`, SCOPE);
      expect(masked).not.to.match(/asha|anil|[^*]@/);
      expect(masked).to.include('held by a***@example.com').and.to.include('held by a***@example.com (2)');
      const shown = await textOf(api, `${ON}?groupBy=token${query}`, `${SCOPE}+pii:read`);
      expect(shown).to.include('asha@example.com').and.to.include('anil@example.com');
    }
    expect(await textOf(api, ON, SCOPE)).to.include('"name checked":1');
    for (const path of [ON, '/v1/reports/workbook']) {
      const { is } = await refusalOf(api, `${path}?currency=asha@example.com`, SCOPE);
      expect(is, `${path}, asked by one`).to.equal('403 forbidden');
    }
  });

  describe('as CSV', () => {
    it('has a header with the JSON paths, a line for each row, and the text of each value', async () => {
      await giveOrders();
      const response = await api.ask(`${ON}?groupBy=day,token&basis=created&from=2023-02-28&format=csv`, SCOPE);
      expect(response.headers.get('content-type')).to.equal('text/csv; charset=utf-8; header=present');
      expect(response.headers.get('content-disposition')).to.equal(
        'attachment; filename="onramp-report-created-from-2023-02-28.csv"',
      );
      expect(response.headers.get('cache-control')).to.equal('private, no-store');
      const text = await response.text();
      expect(text.split('\r\n')).to.have.length(6);
      const [header, ...lines]: readonly unknown[] = parse(text);
      expect(header).to.deep.equal([
        'day',
        'token',
        'currency',
        'orders',
        'byStatus.completed',
        'byStatus.expired',
        'byStatus.onHold',
        ...['asked', 'settled', 'refunded', 'refunding', 'expired', 'deemed', 'failed', 'open'].map(
          (it) => `fiat.${it}`,
        ),
        ...['symbol', 'address', 'chainId', 'amount', 'baseUnits', 'averageConversionRate'].map(
          (it) => `tokens.0.${it}`,
        ),
        'commission',
        'tds',
        'anomalies',
      ]);
      const matic = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
      const zeros = (count: number): readonly string[] => Array.from({ length: count }, () => '0');
      const nothing = ['', '', '', '', '', ''];
      expect(lines).to.deep.equal([
        ['2023-02-28', 'MATIC', 'INR', '1', '1', '', '', '100', '100', ...zeros(6)].concat(
          ['MATIC', matic, '80001', '0.5', '500000000000000000', '90.2'],
          ['-1.5', '0', '0'],
        ),
        ['2023-03-01', 'MATIC', 'INR', '1', '', '1', '', '7', '0', '0', '0', '7', '0', '0', '0', ...nothing].concat(
          zeros(3),
        ),
        ['2023-03-01', 'USDT', 'INR', '1', '1', '', '', '50.25', '50.25', ...zeros(6)].concat(
          ['USDT', '0xDAC1', '137', '1', '12345678901234567890123', ''],
          zeros(3),
        ),
        ['2023-03-01', 'MATIC', 'USD', '1', '', '', '1', '1', ...zeros(6), '1', ...nothing, '0', '0', '1'],
      ]);
      expect(text).to.include('"12345678901234567890123"');
    });

    it('has token lines as wide as the widest row', async () => {
      await giveOrders();
      const [header] = (await textOf(api, `${ON}?format=csv&basis=settled&to=2023-12-31`, SCOPE)).split('\r\n');
      expect(header).to.include('"tokens.0.averageConversionRate","tokens.1.symbol"').and.not.to.include('tokens.2');
    });

    it('has its status columns in one order, whichever row brings them', async () => {
      for (const [currency, status] of [
        ['EUR', 'transferred'],
        ['INR', 'completed'],
        ['USD', 'expired'],
      ] as const)
        await give(onRamp({ currency, status }));
      expect(await textOf(api, `${ON}?format=csv`, SCOPE)).to.include(
        '"orders","byStatus.completed","byStatus.expired","byStatus.transferred","fiat.asked"',
      );
    });

    it('keeps a spreadsheet from running what came', async () => {
      await give(onRamp({ status: 'completed', buyTokenSymbol: "=cmd|' /C calc'!A0", currency: '@sum', metaData: {} }));
      await give(onRamp({ status: '-1+1', currency: '+x' }));
      const read: unknown = parse(await textOf(api, `${ON}?format=csv&groupBy=token`, SCOPE));
      const cells = Array.isArray(read) ? read.flat().map(String) : [];
      expect(cells).to.include("'=cmd|' /C calc'!A0").and.to.include("'@SUM").and.to.include("'+X");
      expect(cells.filter((cell) => /^[=+@\t\r]|^-(?!\d+(\.\d+)?$)/.test(cell))).to.deep.equal([]);
    });

    it('is given where the caller likes it better, unless the format says otherwise', async () => {
      const typeOf = async (accept: string | null, query = ''): Promise<string | undefined> => {
        const response = await api.ask(`${ON}${query}`, SCOPE, accept === null ? {} : { headers: { Accept: accept } });
        expect(response.headers.get('vary')).to.equal('Accept');
        return response.headers.get('content-type')?.split(';')[0];
      };
      const csv = [
        'text/csv',
        'text/*',
        'text/csv, */*;q=0.1',
        'application/json;q=0.5, text/csv;q=0.9',
        'text/csv;q=1',
      ];
      for (const accept of csv) expect(await typeOf(accept), accept).to.equal('text/csv');
      const json = [null, '*/*', 'application/json', 'text/csv;q=0.5, application/json', 'text/csv;q=0', 'text/html'];
      for (const accept of json) expect(await typeOf(accept), String(accept)).to.equal('application/json');
      expect(await typeOf('text/csv', '?format=json')).to.equal('application/json');
      expect(await typeOf('application/json', '?format=csv')).to.equal('text/csv');
      const refused = await refusalOf(api, `${ON}?basis=x`, SCOPE, { headers: { Accept: 'text/csv' } });
      expect(refused.is).to.equal('400 invalid-parameter');
    });
  });

  it('is made in the thread for large answers in every form', async () => {
    const handed: string[] = [];
    const { url, close } = await serveApi({
      handOver: (routeId, { prefers }) => {
        handed.push(`${routeId} ${prefers}`);
        return Promise.resolve(E.right({ headers: {}, type: CSV.sent, bytes: new Uint8Array() }));
      },
    });
    const headers = { Authorization: `Bearer ${keyText(SCOPE)}` };
    const ask = (path: string, accept: string) => fetch(`${url}${path}`, { headers: { ...headers, Accept: accept } });
    try {
      for (const accept of ['*/*', CSV.type, XLSX.type]) await ask(ON, accept);
      await ask(`${OFF}?format=xlsx`, 'text/html');
      await ask('/v1/reports/workbook', '*/*');
    } finally {
      await close();
    }
    expect(handed).to.deep.equal([
      'getOnRampReport application/json',
      `getOnRampReport ${CSV.type}`,
      `getOnRampReport ${XLSX.type}`,
      'getOffRampReport null',
      `getReportWorkbook ${XLSX.type}`,
    ]);
  });

  describe('what is refused', () => {
    it('is so for want of a key or a scope before anything else', async () => {
      for (const path of [ON, OFF]) await expectScopes(api, path, ['admin', 'orders:read', 'audit:read', 'pii:read']);
    });

    it('is a parameter that is unknown, repeated or ill-formed; the detail names it', async () => {
      for (const path of [ON, OFF]) {
        await expectRefused(api, SCOPE, [
          [path, 'basis', ['bogus', '', 'Created']],
          [path, 'groupBy', ['bogus', 'day,bogus', '', 'day,', 'day,day', 'currency,token,currency', 'Day', 'day%20']],
          [path, 'from', ['2023-2-1', '2023-02-31', '']],
          [path, 'to', ['2023-02-31', 'tomorrow']],
          [path, 'format', ['xml', 'pdf', 'CSV', '']],
          [path, 'position', ['x', '0']],
          [path, 'colour', ['red']],
          [path, 'limit', ['5']],
          [path, 'flow', ['onramp']],
        ]);
      }
      const { is, detail } = await refusalOf(api, `${ON}?to=2023-02-28&from=2023-03-01`, SCOPE);
      expect([is, detail]).to.deep.equal(['400 invalid-parameter', 'from: is later than to']);
      expect((await refusalOf(api, '/v1/reports/sideways', SCOPE)).is).to.equal('404 not-found');
      expect((await refusalOf(api, ON, SCOPE, { method: 'POST' })).is).to.equal('405 method-not-allowed');
    });
  });

  it('waits for a position, and says so where the read models do not get there', async () => {
    const { event } = await give(onRamp());
    expect(await textOf(api, `${ON}?position=${event.position}`, SCOPE)).to.include('"asOf":{"position":"0"');
    expect(api.readModels.waits).to.deep.equal([5_000]);
    api.readModels.hold();
    const later = await give(onRamp());
    expect((await refusalOf(api, `${ON}?position=${later.event.position}`, SCOPE)).is).to.equal('503 behind');
    api.readModels.takeAway('gone');
    expect((await refusalOf(api, ON, SCOPE)).is).to.equal('503 behind');
  });
});
