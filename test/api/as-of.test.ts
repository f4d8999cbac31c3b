import { expect } from 'chai';
import { API_KEY, startLedger, type RunningLedger } from '../support/running-ledger.ts';
import { deliver } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { bodyOf, offRamp, onRamp } from '../support/payloads.ts';

const REPORTS = [
  '/v1/reports/onramp?groupBy=day,token',
  '/v1/reports/offramp?basis=settled&groupBy=month',
  '/v1/reports/offramp?from=2023-03-01&to=2023-03-01&format=csv',
];
const LISTS = ['/v1/orders?count=true&limit=2', '/v1/orders?phase=settled', '/v1/orders?q=second&basis=created'];

/** What happens to the ledger; the answers to all questions are kept after each of them. */
const STEPS = [
  onRamp({ orderId: 'first', createdAt: '2023-03-01T06:31:08.000Z' }),
  offRamp({ orderId: 'second', status: 'fiatDeemed', utr: 'U1' }),
  onRamp({ orderId: 'first', status: 'completed', fiat: 101, createdAt: '2023-03-01T06:31:08.000Z' }),
  offRamp({ orderId: 'second', status: 'PayoutSuccess', utr: 'U1', updated_at: '2023-04-01T00:00:00Z' }),
  onRamp({ orderId: 'third', currency: 'usd', createdAt: '2023-05-01T06:31:08.000Z' }),
  onRamp({ orderId: 'first', status: 'refunded', createdAt: '2023-03-01T06:31:08.000Z' }),
];

type Kept = { readonly position: string; readonly recordedAt: string; readonly answers: readonly string[] };

describe('as of a moment', () => {
  let ledger: RunningLedger;
  const kept: Kept[] = [];

  const ask = async (path: string): Promise<{ readonly status: number; readonly text: string }> => {
    const response = await fetch(`${ledger.url}${path}`, { headers: { Authorization: `Bearer ${API_KEY}` } });
    return { status: response.status, text: await response.text() };
  };
  const answer = async (path: string): Promise<string> => {
    const { status, text } = await ask(path);
    expect(status, text).to.equal(200);
    return text;
  };
  /** An answer but for the moment that it names, and what the clock decides of its orders. */
  const comparable = (text: string): string =>
    text
      .replace(/,"asOf":\{[^}]*\}/, '')
      .replaceAll(/"(overdue|anomalies)":(true|false|\[[^\]]*\])/g, '')
      .replaceAll(/"next":"[^"]*"/g, '"next":"…"');

  before(async () => {
    ledger = await startLedger();
    for (const step of STEPS) {
      const { text } = await deliver(ledger.url, bodyOf(step));
      const position = String(at(JSON.parse(text), 'position'));
      const answers: string[] = [];
      for (const path of [...REPORTS, ...LISTS]) answers.push(await answer(`${path}&position=${position}`));
      const [last] = (await ledger.eventsOf(String(at(JSON.parse(text), 'stream')))).slice(-1);
      kept.push({ position, recordedAt: last?.recordedAt ?? '', answers });
    }
  });
  after(() => ledger.close());

  it('reports and lists answer what they answered then, at a position and at an instant, and say which it was', async () => {
    for (const { position, recordedAt, answers } of kept) {
      // Several events may be recorded in one millisecond: the instant then stands for the last of them.
      const lastOfInstant = kept.findLast((other) => other.recordedAt === recordedAt);
      for (const [asOf, expected] of [
        [position, answers],
        [recordedAt, lastOfInstant?.answers ?? []],
      ] as const) {
        for (const [i, path] of [...REPORTS, ...LISTS].entries()) {
          const text = await answer(`${path}&asOf=${asOf}`);
          expect(comparable(text), `${path} as of ${asOf}`).to.equal(comparable(expected[i] ?? ''));
        }
      }
      const report: unknown = JSON.parse(await answer(`/v1/reports/onramp?asOf=${position}`));
      const list: unknown = JSON.parse(await answer(`/v1/orders?asOf=${position}`));
      expect([at(report, 'asOf'), at(list, 'asOf')]).to.deep.equal([
        { position, at: recordedAt },
        { position, at: recordedAt },
      ]);
    }
  });

  it('is empty before the first event', async () => {
    for (const path of ['/v1/reports/onramp', '/v1/orders']) {
      const empty: unknown = JSON.parse(await answer(`${path}?asOf=2020-01-01T00:00:00Z`));
      expect(at(empty, 'asOf')).to.deep.equal({ position: null, at: null });
      expect(at(empty, path === '/v1/orders' ? 'data' : 'rows')).to.deep.equal([]);
    }
  });

  it('is refused beyond the head, in the future, and where it is neither a position nor an instant', async () => {
    for (const path of ['/v1/reports/offramp', '/v1/orders', '/v1/exports/orders', '/v1/exports/orders/manifest']) {
      for (const asOf of ['999', '2999-01-01T00:00:00Z', '2026-01-01', 'x', '', '-1']) {
        const { status, text } = await ask(`${path}?asOf=${asOf}`);
        expect([status, at(JSON.parse(text), 'code')], `${path} ${asOf}`).to.deep.equal([400, 'invalid-parameter']);
        expect(text).to.include('"asOf: ');
        if (['2026-01-01', 'x', '-1'].includes(asOf)) {
          expect(text).to.include('expected a position, or an instant such as 2026-04-01T00:00:00Z');
        }
      }
    }
    for (const path of ['/v1/exports/events', '/v1/exports/audit', '/v1/audit']) {
      expect((await ask(`${path}?asOf=1`)).status, path).to.equal(400);
    }
  });

  it('pages go on within their moment, and with no other', async () => {
    const [, second, , , fifth] = kept.map(({ position }) => position);
    const page: unknown = JSON.parse(await answer(`/v1/orders?asOf=${second}&limit=1`));
    const next = encodeURIComponent(String(at(page, 'next')));
    const rest = await answer(`/v1/orders?asOf=${second}&limit=1&cursor=${next}`);
    expect(at(JSON.parse(rest), 'next')).to.equal(null);
    expect(`${JSON.stringify(page)}${rest}`)
      .to.include('"first"')
      .and.to.include('"second"');
    for (const other of [`asOf=${fifth}&`, '']) {
      expect((await ask(`/v1/orders?${other}limit=1&cursor=${next}`)).status, other).to.equal(400);
    }
  });

  it('exports hold the same orders, and their manifests say of which moment', async () => {
    for (const { position, answers } of kept) {
      const file = await answer(`/v1/exports/orders?format=ndjson&asOf=${position}`);
      const manifest: unknown = JSON.parse(await answer(`/v1/exports/orders/manifest?format=ndjson&asOf=${position}`));
      const total = at(JSON.parse(answers[REPORTS.length] ?? ''), 'total');
      expect(at(manifest, 'rows')).to.equal(at(total, 'orders'));
      expect(file.trimEnd().split('\n')).to.have.lengthOf(Number(at(total, 'orders')));
      expect([at(manifest, 'position'), at(at(manifest, 'filters'), 'asOf')]).to.deep.equal([position, position]);
    }
  });
});
