import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { branded } from '../../src/domain/brand.ts';
import { instantOf, type Instant } from '../../src/domain/instant.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import { deliver } from '../support/exchange.ts';
import { at } from '../support/naive-json.ts';
import { bodyOf, offRamp, onRamp } from '../support/payloads.ts';
import { API_KEY, SCOPES, startLedger, type RunningLedger } from '../support/running-ledger.ts';

type Answer = { readonly status: number; readonly text: string; readonly body: unknown };

/** A key that sees reports, and no personal data. */
const FIGURES_KEY = 'figures-api-key-of-at-least-24-bytes';
/** A key that closes months, and sees no personal data either. */
const CLOSER_KEY = 'closer-api-key-of-at-least-24-bytes';

const JANUARY = '2026-01-10T10:00:00.000Z';
const MARCH = '2026-03-05T06:31:08.000Z';

describe('periods', () => {
  let ledger: RunningLedger;
  let clock: Instant;

  beforeEach(async () => {
    clock = branded<Instant>('2026-04-02T10:00:00.000Z');
    ledger = await startLedger({
      now: () => clock,
      env: {
        BUSINESS_TIME_ZONE: 'Asia/Kolkata',
        API_KEYS: `test:${SCOPES}=${API_KEY},figures:reports:read=${FIGURES_KEY},closer:periods:write=${CLOSER_KEY}`,
      },
    });
  });
  afterEach(() => ledger.close());

  const ask = async (path: string, body?: unknown, key = API_KEY): Promise<Answer> => {
    const response = await fetch(`${ledger.url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) };
  };
  const answer = async (path: string, body?: unknown): Promise<unknown> => {
    const { status, text, body: answered } = await ask(path, body);
    expect(status, `${path}: ${text}`).to.equal(200);
    return answered;
  };
  const refusal = async (path: string, body?: unknown): Promise<string> => {
    const { status, body: answered } = await ask(path, body);
    return `${status} ${String(at(answered, 'code'))}: ${String(at(answered, 'detail'))}`;
  };
  const give = async (payload: JsonObject): Promise<string> => {
    const { text } = await deliver(ledger.url, bodyOf(payload));
    const position = String(at(JSON.parse(text), 'position'));
    await answer(`/v1/reports/onramp?position=${position}`);
    return position;
  };
  /** Orders of January and March, settled and not. */
  const fill = async (): Promise<void> => {
    await give(onRamp({ orderId: 'jan', createdAt: JANUARY, status: 'completed', fiat: 50 }));
    await give(onRamp({ orderId: 'mar', createdAt: MARCH, status: 'completed', fiat: 100.5, updated_at: MARCH }));
    await give(onRamp({ orderId: 'late', createdAt: MARCH, status: 'orderReceived', fiat: 7 }));
    await give(offRamp({ orderId: 'out', created_at: MARCH, status: 'PayoutSuccess', updated_at: MARCH, utr: 'U1' }));
  };
  const closeUpTo = async (...months: readonly string[]): Promise<void> => {
    for (const month of months) await answer(`/v1/periods/${month}/close`, { note: month });
  };

  it('are closed and opened again with a note of 2,000 characters at the most: each is kept for good, and listed', async () => {
    await give(onRamp({ orderId: 'march', createdAt: MARCH }));
    const [longest, longer] = ['ü'.repeat(2_000), 'ü'.repeat(2_001)];
    const despite = ['earlier-closed', 'quarantine', 'clock-anomalies', 'match'];
    expect(await refusal('/v1/periods/2026-03/close', { note: longer, despite })).to.match(
      /^400 .*at most 2000 characters/,
    );
    expect(at(await answer('/v1/periods/2026-03/close', { note: longest, despite }), 'note')).to.equal(longest);
    expect(await refusal('/v1/periods/2026-03/reopen', { note: longer })).to.match(/^400 .*at most 2000 characters/);
    expect(at(await answer('/v1/periods/2026-03/reopen', { note: longest }), 'state')).to.equal('open');
  });

  it('are all months from the first with figures to the current one, newest first', async () => {
    expect(await answer('/v1/periods')).to.deep.equal({ data: [], next: null });
    await fill();
    const listed = async (query = ''): Promise<unknown> => {
      const page = await answer(`/v1/periods${query}`);
      const data: unknown = at(page, 'data');
      return Array.isArray(data) ? data.map((period) => at(period, 'period')) : data;
    };
    expect(await listed()).to.deep.equal(['2026-04', '2026-03', '2026-02', '2026-01']);
    const first = await answer('/v1/periods?limit=3');
    expect(await listed(`?limit=3&cursor=${String(at(first, 'next'))}`)).to.deep.equal(['2026-01']);
    expect(await answer('/v1/periods/2026-03')).to.deep.equal({
      period: '2026-03',
      timeZone: 'Asia/Kolkata',
      state: 'open',
      closedAt: null,
      closedBy: null,
      note: null,
      position: null,
      checkpoint: null,
      reports: null,
      adjusted: false,
      unreadable: null,
      history: [],
    });
  });

  it('stay listed once they are closed, also where all their orders have gone to other months', async () => {
    await give(onRamp({ orderId: 'moved', createdAt: JANUARY, status: 'orderReceived', fiat: 5 }));
    await closeUpTo('2026-01');
    await give(onRamp({ orderId: 'moved', createdAt: MARCH, status: 'completed', fiat: 5 }));
    const found = await answer('/v1/periods');
    const data: unknown = at(found, 'data');
    expect(
      Array.isArray(data) ? data.map((period) => [at(period, 'period'), at(period, 'adjusted')]) : data,
    ).to.deep.equal([
      ['2026-04', false],
      ['2026-03', false],
      ['2026-02', false],
      ['2026-01', true],
    ]);
    expect(await refusal('/v1/periods/2026-03/close', {})).to.include('earlier-closed');
  });

  it('say what is left to do before they are closed, and are refused until it is done or closed over', async () => {
    await fill();
    await give(onRamp({ orderId: 'pending', createdAt: MARCH, status: 'fiatPending' }));
    await deliver(ledger.url, 'no order');
    const found = await answer('/v1/periods/2026-03/readiness');
    const checks: unknown = at(found, 'checks');
    expect(at(found, 'ready')).to.equal(false);
    expect(
      Array.isArray(checks) ? checks.map((check) => [at(check, 'name'), at(check, 'ok'), at(check, 'count')]) : [],
    ).to.deep.equal([
      ['month-over', true, 0],
      ['earlier-closed', false, 2],
      ['spool', true, 0],
      ['read-models', true, 0],
      ['quarantine', false, 1],
      ['clock-anomalies', false, 1],
    ]);
    expect(await refusal('/v1/periods/2026-03/close', {})).to.match(
      /^409 not-ready: .*earlier-closed, quarantine, clock-anomalies/,
    );
    expect((await ask('/v1/periods/2026-03/close', {})).body).to.have.deep.property('checks', [
      'earlier-closed',
      'quarantine',
      'clock-anomalies',
    ]);
    expect(await refusal('/v1/periods/2026-03/close', { despite: ['quarantine'] })).to.match(
      /^409 not-ready: .*earlier-closed, clock-anomalies/,
    );
    expect(await refusal('/v1/periods/2026-04/close', { despite: [] })).to.include('month-over');
    const despite = ['quarantine', 'clock-anomalies', 'earlier-closed'];
    expect(at(await answer('/v1/periods/2026-03/close', { despite, note: 'n' }), 'state')).to.equal('closed');
  });

  it('tell a key that may not read them nothing of what others did and noted, in what its own changes are answered', async () => {
    await fill();
    await closeUpTo('2026-01', '2026-02');
    const changed = async (deed: 'close' | 'reopen', note: string, key: string): Promise<unknown> =>
      (await ask(`/v1/periods/2026-02/${deed}`, { note }, key)).body;
    const told = (month: unknown, ...names: readonly string[]) => names.map((name) => at(month, name));
    const historyOf = (month: unknown): unknown => {
      const history = at(month, 'history');
      return Array.isArray(history)
        ? history.map((deed) => [at(deed, 'by'), at(deed, 'what'), at(deed, 'note')])
        : null;
    };
    await changed('reopen', 'of finance', API_KEY);
    await changed('close', 'of finance again', API_KEY);
    const open = await changed('reopen', 'mine', CLOSER_KEY);
    expect(historyOf(open)).to.deep.equal([['closer', 'reopened', 'mine']]);
    const closed = await changed('close', 'mine too', CLOSER_KEY);
    expect(told(closed, 'state', 'closedBy', 'note')).to.deep.equal(['closed', 'closer', 'mine too']);
    expect(historyOf(closed)).to.deep.equal([
      ['closer', 'reopened', 'mine'],
      ['closer', 'closed', 'mine too'],
    ]);
    expect(historyOf(await answer('/v1/periods/2026-02'))).to.have.length(5);
  });

  it('show e-mail addresses in notes to those alone who may read personal data, and keep them as they were', async () => {
    await fill();
    const notesOf = (body: unknown): readonly unknown[] => {
      const history: unknown = at(body, 'history');
      return Array.isArray(history) ? history.map((deed) => at(deed, 'note')) : [];
    };
    const noted = (body: unknown) => [at(body, 'note'), ...notesOf(body)];
    const [path, first, second] = ['/v1/periods/2026-01', 'asked asha@example.com', 'ravi@example.com was wrong'];
    const [maskedFirst, maskedSecond] = ['asked a***@example.com', 'r***@example.com was wrong'];
    const closed = await ask(`${path}/close`, { note: first }, CLOSER_KEY);
    expect([closed.status, ...noted(closed.body)]).to.deep.equal([200, maskedFirst, maskedFirst]);
    expect(noted(await answer(path))).to.deep.equal([first, first]);
    expect(noted((await ask(path, undefined, FIGURES_KEY)).body)).to.deep.equal([maskedFirst, maskedFirst]);
    const reopened = await ask(`${path}/reopen`, { note: second }, CLOSER_KEY);
    expect([reopened.status, ...noted(reopened.body)]).to.deep.equal([200, null, maskedFirst, maskedSecond]);
    const again = await answer(`${path}/close`, { note: first });
    expect(noted(again)).to.deep.equal([first, first, second, first]);
    expect((await ask('/v1/periods', undefined, FIGURES_KEY)).text)
      .to.include(`"note":"${maskedFirst}"`)
      .and.to.include(`"note":"${maskedSecond}"`)
      .and.not.to.match(/asha|ravi/);
    expect((await ask('/v1/periods')).text)
      .to.include(`"note":"${first}"`)
      .and.to.include(`"note":"${second}"`);
  });

  it('are refused where they are ill-formed, unknown, or asked for something that is none', async () => {
    await fill();
    for (const path of ['/v1/periods/2026-3', '/v1/periods/x/readiness', '/v1/periods/2026-13/adjustments']) {
      expect(await refusal(path)).to.match(/^400 invalid-parameter: period: /);
    }
    for (const deed of ['close', 'reopen']) {
      expect(await refusal(`/v1/periods/march/${deed}`, { note: 'x' })).to.match(/^400 invalid-parameter: period: /);
      expect(await refusal(`/v1/periods/2031-01/${deed}`, { note: 'x' })).to.match(/^404 not-found/);
    }
    expect(await refusal('/v1/periods/2031-01')).to.match(/^404 not-found/);
    expect(await refusal('/v1/periods/2026-03/close', { despite: ['weather'] })).to.match(
      /^400 .*despite.*one of month-over, earlier-closed/,
    );
    expect(await refusal('/v1/periods/2026-03/close', '{')).to.match(/^400 .*body/);
    for (const body of [{}, { note: '' }, { note: '  ' }, { note: 5 }]) {
      expect(await refusal('/v1/periods/2026-03/reopen', body)).to.match(/^400 .*note/);
    }
    expect(await refusal('/v1/periods/2026-03/reopen', { note: 'x' })).to.match(/^409 not-closed/);
    for (const beside of ['from=2026-03-01', 'to=2026-03-01', 'asOf=1']) {
      expect(await refusal(`/v1/reports/onramp?period=2026-03&${beside}`)).to.match(
        new RegExp(`^400 invalid-parameter: ${beside.split('=')[0] ?? ''}: `),
      );
    }
    expect(await refusal('/v1/reports/onramp?period=2026-3')).to.match(/^400 invalid-parameter: period: /);
  });

  it('are closed for good: the report stays what it was, byte for byte, and its digest is told', async () => {
    await fill();
    await closeUpTo('2026-01', '2026-02');
    const queries = [
      '',
      '&basis=created',
      '&basis=settled',
      '&groupBy=day,token',
      '&basis=settled&groupBy=month,chain',
    ];
    const reports = async (): Promise<readonly string[]> => {
      const texts: string[] = [];
      for (const flow of ['onramp', 'offramp']) {
        for (const query of queries) texts.push((await ask(`/v1/reports/${flow}?period=2026-03${query}`)).text);
        texts.push(
          await (
            await fetch(`${ledger.url}/v1/reports/${flow}?period=2026-03&format=csv`, {
              headers: { Authorization: `Bearer ${API_KEY}` },
            })
          ).text(),
        );
      }
      return texts;
    };
    // Both closes are events too.
    await answer(`/v1/reports/onramp?position=${await ledger.eventCount()}`);
    const open = await reports();
    const closed = await answer('/v1/periods/2026-03/close', { note: '<b>signed off</b>' });
    const fixed = await reports();
    expect(fixed).to.deep.equal(open);
    expect(closed).to.deep.include({
      state: 'closed',
      closedAt: clock,
      closedBy: 'test',
      note: '<b>signed off</b>',
      adjusted: false,
      unreadable: null,
      history: [{ at: clock, by: 'test', what: 'closed', note: '<b>signed off</b>' }],
    });
    expect(at(closed, 'reports')).to.deep.equal({
      onramp: { sha256: sha256(fixed[1] ?? '') },
      offramp: { sha256: sha256(fixed[queries.length + 2] ?? '') },
    });
    expect(at(at(JSON.parse(fixed[0] ?? ''), 'asOf'), 'position')).to.equal(at(closed, 'position'));
    await give(onRamp({ orderId: 'mar', createdAt: MARCH, status: 'refunded', fiat: 100.5 }));
    await give(onRamp({ orderId: 'new', createdAt: MARCH, status: 'fiatPending', currency: 'usd' }));
    expect(await reports()).to.deep.equal(fixed);
    expect(await answer('/v1/periods/2026-03')).to.deep.equal(Object.assign({}, closed, { adjusted: true }));
    expect(await refusal('/v1/periods/2026-03/close', { note: 'again' })).to.match(/^409 already-closed/);
  });

  it('tell what came after, down to the orders and the events that changed them', async () => {
    await fill();
    await closeUpTo('2026-01', '2026-02', '2026-03');
    expect(await answer('/v1/periods/2026-03/adjustments')).to.deep.equal({ data: [], next: null });
    clock = instantOf(Date.parse(clock) + 1_000);
    await give(onRamp({ orderId: 'late', createdAt: MARCH, status: 'completed', fiat: 7, transferredAmount: '0.5' }));
    await give(onRamp({ orderId: 'jan', createdAt: JANUARY, status: 'refunded', fiat: 50 }));
    const [event] = (await ledger.eventsOf('order-late')).slice(-1);
    const found = await answer('/v1/periods/2026-03/adjustments');
    expect(at(found, 'next')).to.equal(null);
    // It settled in April, when it was received.
    expect(at(found, 'data')).to.deep.equal([
      {
        flow: 'onramp',
        basis: 'created',
        currency: 'INR',
        measures: {
          'byStatus.completed': { closed: 1, now: 2, difference: 1 },
          'byStatus.orderReceived': { closed: 1, now: 0, difference: -1 },
          'fiat.open': { closed: '7', now: '0', difference: '-7' },
          'fiat.settled': { closed: '100.5', now: '107.5', difference: '7' },
          'tokens.0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee@80001.amount': {
            closed: '0.01',
            now: '0.51',
            difference: '0.5',
          },
          'tokens.0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee@80001.baseUnits': {
            closed: '10000000000000000',
            now: '20000000000000000',
            difference: '10000000000000000',
          },
        },
        orders: [
          {
            orderId: 'late',
            eventIds: [event?.id],
            closed: { phase: 'open', fiat: '7' },
            now: { phase: 'settled', fiat: '7' },
          },
        ],
      },
    ]);
    // No token's address is taken for an e-mail address.
    expect((await ask('/v1/periods/2026-03/adjustments', undefined, FIGURES_KEY)).body).to.deep.equal(found);
    await give(onRamp({ orderId: 'mar', createdAt: MARCH, status: 'refunded', fiat: 100.5 }));
    const first = await answer('/v1/periods/2026-03/adjustments?limit=1');
    expect(at(first, 'next')).to.be.a('string');
    const rest = await answer(`/v1/periods/2026-03/adjustments?limit=1&cursor=${String(at(first, 'next'))}`);
    const both = [first, rest].flatMap((page) => {
      const rows: unknown = at(page, 'data');
      return Array.isArray(rows) ? rows.map((row) => at(row, 'basis')) : [];
    });
    expect([both, at(rest, 'next')]).to.deep.equal([['created', 'settled'], null]);
    expect(at(await answer('/v1/periods/2026-02'), 'adjusted')).to.equal(false);
    expect(at(await answer('/v1/periods/2026-01'), 'adjusted')).to.equal(true);
  });

  it('go on behind adjustments of currencies that look the same where they are masked, and tell none by the place', async () => {
    await fill();
    await closeUpTo('2026-01', '2026-02', '2026-03');
    for (const currency of ['anna@example.com', 'abby@example.com', 'USD', 'asha@example.com']) {
      await give(onRamp({ orderId: `in ${currency}`, createdAt: MARCH, status: 'fiatPending', currency }));
    }
    const next = async (query: string): Promise<unknown> =>
      (await ask(`/v1/periods/2026-03/adjustments?limit=1${query}`, undefined, FIGURES_KEY)).body;
    const [orders, places]: [unknown[], string[]] = [[], []];
    for (let page = await next(''); ; page = await next(`&cursor=${places.at(-1) ?? ''}`)) {
      orders.push(at(at(at(at(at(page, 'data'), '0'), 'orders'), '0'), 'orderId'));
      const place = at(page, 'next');
      if (typeof place !== 'string') break;
      places.push(place);
    }
    expect(orders).to.have.members(
      ['USD', 'anna@example.com', 'abby@example.com', 'asha@example.com'].map((it) => `in ${it}`),
    );
    for (const place of places) expect(Buffer.from(place, 'base64url').toString()).not.to.match(/ANNA|ABBY|ASHA/i);
  });

  it('are not closed where their figures would fit into no event of every store, and say so', async () => {
    // Each status makes a class of orders of its own; noise can not be packed.
    for (let n = 0; n < 110; n += 1) {
      const status = randomBytes(9_000).toString('hex');
      await deliver(ledger.url, bodyOf(onRamp({ orderId: `large-${n}`, createdAt: MARCH, status })));
    }
    const close = await refusal('/v1/periods/2026-03/close', { note: 'n' });
    expect(close).to.match(/^422 period-too-large: the figures of the month/);
    expect(await ledger.eventsOf('period-2026-03')).to.deep.equal([]);
    expect(at(await answer('/v1/periods/2026-03'), 'state')).to.equal('open');
  });

  it('are opened again from the latest on, with what was done kept', async () => {
    await fill();
    await closeUpTo('2026-01', '2026-02', '2026-03');
    expect(await refusal('/v1/periods/2026-02/reopen', { note: 'x' })).to.match(/^409 later-period-closed/);
    const reopened = await answer('/v1/periods/2026-03/reopen', { note: 'a rate was wrong' });
    expect(reopened).to.deep.include({ state: 'open', reports: null, closedAt: null, adjusted: false });
    const again = await answer('/v1/periods/2026-03/close', {});
    const history: unknown = at(again, 'history');
    expect(Array.isArray(history) ? history.map((deed) => at(deed, 'what')) : history).to.deep.equal([
      'closed',
      'reopened',
      'closed',
    ]);
    expect(await ledger.eventsOf('period-2026-03')).to.have.lengthOf(3);
  });

  it('are closed once by two who close at once', async () => {
    await fill();
    await closeUpTo('2026-01', '2026-02');
    const both = await Promise.all([1, 2, 3].map(() => ask('/v1/periods/2026-03/close', { note: 'at once' })));
    expect(both.map(({ status }) => String(status)).toSorted()).to.deep.equal(['200', '409', '409']);
    expect(await ledger.eventsOf('period-2026-03')).to.have.lengthOf(1);
    const trail = await answer('/v1/audit?type=PeriodClosed&verify=true&position=7');
    const entries: unknown = at(trail, 'data');
    expect(Array.isArray(entries) ? entries.at(-1) : null).to.include({
      type: 'PeriodClosed',
      verified: 'unsigned',
      secretId: null,
      bodySha256: null,
      orderId: null,
    });
  });
});
