import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { branded } from '../../src/domain/brand.ts';
import type { Instant } from '../../src/domain/instant.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { deliver } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { bodyOf, onRamp } from '../support/payloads.ts';
import { serveApi } from '../support/serve-api.ts';
import { API_KEY, SCOPES, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { readXlsxSheets, type Cells } from '../support/workbook-cells.ts';

/** A key that sees reports, and no personal data. */
const FIGURES_KEY = 'figures-api-key-of-at-least-24-bytes';

const JANUARY = '2026-01-10T10:00:00.000Z';
const MARCH = '2026-03-05T06:31:08.000Z';

describe('what is large of a closed month', () => {
  it('is made by another thread, where there is one', async () => {
    const handed: string[] = [];
    const api = await serveApi({
      handOver: (routeId) => {
        handed.push(routeId);
        const bytes = new TextEncoder().encode('made elsewhere');
        return Promise.resolve(E.right({ headers: {}, type: 'text/plain', bytes }));
      },
    });
    for (const path of ['/v1/periods/2026-01/workbook', '/v1/periods/2026-01/adjustments']) {
      const answer = await api.ask(path, 'reports:read');
      expect([answer.status, await answer.text()]).to.deep.equal([200, 'made elsewhere']);
    }
    expect(handed).to.deep.equal(['getPeriodWorkbook', 'listPeriodAdjustments']);
    await api.close();
  });
});

describe('the workbook of a closed month', () => {
  let ledger: RunningLedger;
  beforeEach(async () => {
    const now = () => branded<Instant>('2026-04-02T10:00:00.000Z');
    const keys = `test:${SCOPES}=${API_KEY},figures:reports:read=${FIGURES_KEY}`;
    ledger = await startLedger({ now, env: { BUSINESS_TIME_ZONE: 'Asia/Kolkata', API_KEYS: keys } });
  });
  afterEach(() => ledger.close());

  const ask = (path: string, body?: JsonObject, key = API_KEY): Promise<Response> =>
    fetch(`${ledger.url}${path}`, {
      headers: { Authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
  const give = async (facts: JsonObject): Promise<void> => {
    const { text } = await deliver(ledger.url, bodyOf(onRamp(facts)));
    const position = String(at(JSON.parse(text), 'position'));
    expect((await ask(`/v1/reports/onramp?position=${position}`)).status).to.equal(200);
  };
  const close = async (month: string, note = `${month} signed off`): Promise<void> => {
    const despite = ['clock-anomalies', 'earlier-closed'];
    expect((await ask(`/v1/periods/${month}/close`, { note, despite })).status).to.equal(200);
  };
  const bytesOf = async (month: string, key = API_KEY): Promise<Buffer> => {
    const response = await ask(`/v1/periods/${month}/workbook`, undefined, key);
    expect(response.status, month).to.equal(200);
    expect(response.headers.get('Content-Disposition')).to.equal(`attachment; filename="close-${month}.xlsx"`);
    return Buffer.from(await response.arrayBuffer());
  };
  const sheetOf = async (month: string, name: string): Promise<Cells> =>
    (await readXlsxSheets(await bytesOf(month))).get(name) ?? [];

  it('says who closed it and how, with its reports, readiness as it was, and digests', async () => {
    await give({ orderId: 'jan', createdAt: JANUARY, status: 'completed', fiat: 50.5 });
    expect((await ask('/v1/periods/2026-01/workbook')).status, 'open').to.equal(409);
    await close('2026-01');
    const about = await sheetOf('2026-01', 'Close');
    expect(about).to.deep.include(['Title', 'Close of 1 to 31 January 2026, Asia/Kolkata']);
    expect(about).to.deep.include(['Closed by', 'test']);
    expect(about).to.deep.include(['Note', '2026-01 signed off']);
    const report = await (await ask('/v1/reports/onramp?period=2026-01')).text();
    expect(about).to.deep.include(['SHA-256, on-ramp report', sha256(report)]);
    const [header = [], row = [], total = []] = await sheetOf('2026-01', 'On-ramp created');
    expect([row[0], row[header.indexOf('Settled')]]).to.deep.equal(['2026-01-10', 50.5]);
    expect([total[0], total[header.indexOf('Settled')]]).to.deep.equal(['Total', 50.5]);
    expect((await sheetOf('2026-01', 'Off-ramp settled')).slice(1)).to.deep.equal([]);
    const readiness = await sheetOf('2026-01', 'Readiness');
    expect(readiness.map((cells) => cells.slice(0, 2))).to.deep.include(['The month is over', 'OK']);
  });

  it('shows e-mail addresses in notes to those alone who may read personal data, to each the same bytes', async () => {
    await give({ orderId: 'jan', createdAt: JANUARY, status: 'completed', fiat: 50.5 });
    await close('2026-01', 'asked asha@example.com');
    const notes = async (key: string): Promise<readonly string[]> => {
      const bytes = await bytesOf('2026-01', key);
      expect(await bytesOf('2026-01', key)).to.deep.equal(bytes);
      const about = (await readXlsxSheets(bytes)).get('Close') ?? [];
      return about
        .filter(([name]) => name === 'Note' || name === 'History')
        .map(([, text]) => String(text).replace(/^.*: /, ''));
    };
    expect(await notes(API_KEY)).to.deep.equal(['asked asha@example.com', 'asked asha@example.com']);
    expect(await notes(FIGURES_KEY)).to.deep.equal(['asked a***@example.com', 'asked a***@example.com']);
  });

  it('holds what came for earlier months until its close, and is the same bytes whatever comes later', async () => {
    await give({ orderId: 'jan', createdAt: JANUARY, status: 'fiatPending', fiat: 50.5 });
    await close('2026-01');
    const open = '1 order is overdue or deemed for too long';
    expect(await sheetOf('2026-01', 'Close')).to.deep.include(['Closed with these open', open]);
    expect((await sheetOf('2026-01', 'Readiness')).map((cells) => cells.slice(0, 4))).to.deep.include([
      'No order is unpaid or unconfirmed for too long',
      'Accepted',
      1,
      open,
    ]);
    const before = await bytesOf('2026-01');
    await give({ orderId: 'jan', createdAt: JANUARY, status: 'expired', fiat: 50.5 });
    await close('2026-02');
    await give({ orderId: 'jan', createdAt: JANUARY, status: 'completed', fiat: 50.5 });
    await give({ orderId: 'mar', createdAt: MARCH, status: 'completed', fiat: 7 });
    await close('2026-03');
    const march = await bytesOf('2026-03');
    await give({ orderId: 'jan-late', createdAt: JANUARY, status: 'completed', fiat: 1000 });
    const measures = async (month: string): Promise<Cells> =>
      (await sheetOf(month, 'Adjustments'))
        .slice(1)
        .filter(([, , , , name]) => /^(Open|Expired|Settled)$/.test(String(name)));
    const created = ['2026-01', 'On-ramp', 'created', 'INR'];
    expect(await measures('2026-01')).to.deep.equal([]);
    expect(await measures('2026-02')).to.deep.equal([
      [...created, 'Open', 50.5, 0, -50.5],
      [...created, 'Expired', 0, 50.5, 50.5],
    ]);
    expect((await measures('2026-03')).filter(([, , basis]) => basis === 'created')).to.deep.equal([
      [...created, 'Settled', 0, 50.5, 50.5],
      [...created, 'Expired', 50.5, 0, -50.5],
    ]);
    const orders = (await sheetOf('2026-03', 'Adjusted orders')).filter(([, , basis]) => basis === 'created');
    expect(orders.map((cells) => cells.slice(4, 9))).to.deep.equal([['jan', 'Expired', 50.5, 'Settled', 50.5]]);
    expect(String(orders[0]?.[9]).split(' ')).to.have.length(1);
    expect(await bytesOf('2026-01')).to.deep.equal(before);
    expect(await bytesOf('2026-03')).to.deep.equal(march);
  });
});
