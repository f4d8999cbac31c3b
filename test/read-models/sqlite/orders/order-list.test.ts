import { expect } from 'chai';
import type { OrderState } from '../../../../projections/order-state/index.ts';
import { businessCalendar } from '../../../../src/domain/business-day.ts';
import { instantOf } from '../../../../src/domain/instant.ts';
import type { JsonObject } from '../../../../src/domain/json.ts';
import type { OrderFilter } from '../../../../src/read-models/order-filter.ts';
import { EVERY_ORDER } from '../../../../src/read-models/order-filter.ts';
import type { OrderPlace, OrdersPage } from '../../../../src/read-models/read-models.ts';
import { playedLedger, type Step } from '../../../support/ledger-script.ts';
import { NaiveAnswers } from '../../../support/naive-answers.ts';
import { onRamp } from '../../../support/payloads.ts';
import { right } from '../../../support/right.ts';
import { openSqliteReadModels } from '../../../support/sqlite-read-models.ts';
import type { OpenReadModels } from '../../read-models-contract.ts';

const ZONE = 'UTC';
const DAY = 86_400_000;
const ORDERS = 1_000;
const NOW = instantOf(Date.UTC(2024, 0, 40));

/** Most orders have a class of their own, which more of them have in common than are merged one by one. */
const payload = (i: number): JsonObject => {
  const created = instantOf(Date.UTC(2024, 0, 1) + Math.floor(i / 2) * 3_000_000);
  const common = { orderId: `order-${i}`, createdAt: created, currency: i % 10 === 0 ? 'USD' : 'INR' };
  if (i % 9 === 0) return onRamp({ ...common, buyTokenSymbol: 'MATIC' });
  return onRamp({
    ...common,
    status: i % 3 === 0 ? 'completed' : 'transferred',
    buyTokenSymbol: i % 4 === 0 ? 'MATIC' : `T${i}`,
    updated_at: instantOf(Date.UTC(2024, 0, 10 + (i % 50))),
    // A fact that can't be read is an anomaly.
    ...(i % 7 === 0 ? { txnHash: 5 } : {}),
  });
};

describe('lists of orders of very many classes', function () {
  this.timeout(120_000);
  let models: OpenReadModels;
  let naive: NaiveAnswers;

  before(async () => {
    const ledger = playedLedger();
    await ledger.play(
      Array.from({ length: ORDERS }, (_, i) => ({
        body: JSON.stringify(payload(i)),
        receivedAt: instantOf(Date.UTC(2024, 2, 1)),
        requestId: null,
        putAway: false,
      })),
    );
    models = await openSqliteReadModels(ledger.store, ZONE);
    naive = new NaiveAnswers(await Array.fromAsync(ledger.store.readAll(null), right), businessCalendar(ZONE));
  });
  after(() => models.close());

  const dayAt = (days: number) => businessCalendar(ZONE).dayOf(instantOf(Date.UTC(2024, 0, 1) + days * DAY));

  const filters: Readonly<Record<string, Partial<OrderFilter>>> = {
    'all but a few': { currency: 'INR' },
    'all but a few of some days': { currency: 'INR', from: dayAt(5), to: dayAt(8) },
    'a few of many': { currency: 'USD' },
    one: { token: 't101' },
    'those with an anomaly, now or always': { anomaly: 'any' },
    'those that wait for too long': { anomaly: 'overdue' },
    'those of a status': { status: 'transferred' },
    'those that settled on a day': { basis: 'settled', from: dayAt(10), to: dayAt(10) },
    'all but a few that settled on some days': { basis: 'settled', currency: 'INR', from: dayAt(10), to: dayAt(12) },
    'those that settled on very many days': { basis: 'settled', from: dayAt(3), to: dayAt(55) },
    'all but a few that settled on very many days': {
      basis: 'settled',
      currency: 'INR',
      from: dayAt(3),
      to: dayAt(55),
    },
    'one that settled': { basis: 'settled', token: 't33' },
    'those that settled with an anomaly': { basis: 'settled', anomaly: 'any' },
    'those of a customer': { q: { text: '6384ad5d9f1c', personal: false, holdsMasked: false }, currency: 'USD' },
    'those of a customer, more than are counted at a time': {
      q: { text: '6384ad5d9f1c', personal: false, holdsMasked: false },
    },
  };

  for (const [name, filter] of Object.entries(filters)) {
    it(`are ${name}, page by page`, async () => {
      const question = { filter: { ...EVERY_ORDER, ...filter }, now: NOW, limit: 60, counted: true };
      const listed = naive.listed(question.filter, NOW);
      expect(listed).not.to.deep.equal([]);
      const ids: string[] = [];
      for (let after: OrderPlace | null = null, more = true; more;) {
        const page: OrdersPage<OrderState> = right(await models.answers.orders({ ...question, after })());
        ids.push(...page.data.map(({ orderId }) => orderId));
        after = page.data.at(-1) ?? null;
        more = page.more;
        expect(page.total).to.deep.equal(naive.orders({ ...question, after: null }).total);
      }
      expect(ids).to.deep.equal(listed.map(({ orderId }) => orderId));
    });
  }

  it('are none by a text of which something is masked for whoever asks', async () => {
    const found = async (personal: boolean): Promise<boolean> => {
      const filter = { ...EVERY_ORDER, q: { text: '6384ad5d9f1c', personal, holdsMasked: true } };
      const question = { filter, now: NOW, limit: 60, counted: false, after: null };
      return right(await models.answers.orders(question)()).data.length > 0;
    };
    expect([await found(true), await found(false)]).to.deep.equal([true, false]);
  });
});

const HOUR = 3_600_000;

describe('a list of orders that wait for too long', () => {
  it('has each from the moment on when its time is over, however many are younger', async () => {
    const ledger = playedLedger();
    const created = Date.UTC(2024, 0, 1);
    await ledger.play(
      Array.from({ length: 40 }, (_, i) => ({
        body: JSON.stringify(onRamp({ orderId: `order-${i}`, createdAt: instantOf(created + i * 60_000) })),
        receivedAt: instantOf(created),
        requestId: null,
        putAway: false,
      })),
    );
    const models = await openSqliteReadModels(ledger.store, ZONE);
    const naive = new NaiveAnswers(await Array.fromAsync(ledger.store.readAll(null), right), businessCalendar(ZONE));
    for (const anomaly of ['overdue', 'any'] as const) {
      for (const [i, ms] of [0, 7, 8, 20].flatMap((order) => [-1, 0, 1].map((by) => [order, by] as const))) {
        const now = instantOf(created + i * 60_000 + 3 * HOUR + ms);
        const question = { filter: { ...EVERY_ORDER, anomaly }, now, limit: 5, after: null, counted: true };
        const page = right(await models.answers.orders(question)());
        expect(page).to.deep.equal(naive.orders(question));
        expect(page.total?.orders).to.equal(ms === 1 ? i + 1 : i);
      }
    }
    await models.close();
  });
});

describe('a page that is asked for again', () => {
  it('has each order as it is now', async () => {
    const ledger = playedLedger();
    const play = (status: string): Promise<unknown> =>
      ledger.play([
        {
          body: JSON.stringify(onRamp({ orderId: 'a', status })),
          receivedAt: instantOf(0),
          requestId: null,
          putAway: false,
        },
      ]);
    await play('fiatPending');
    const models = await openSqliteReadModels(ledger.store, ZONE);
    const question = { filter: EVERY_ORDER, now: instantOf(0), limit: 5, after: null, counted: false };
    const statuses = async () => right(await models.answers.orders(question)()).data.map(({ status }) => status);
    expect([await statuses(), await statuses()]).to.deep.equal([['fiatPending'], ['fiatPending']]);
    await play('orderReceived');
    await models.project([1]);
    expect(await statuses()).to.deep.equal(['orderReceived']);
    await models.close();
  });

  it('has the orders that are in their class now', async () => {
    const ledger = playedLedger();
    const play = (orderId: string, status: string): Promise<unknown> =>
      ledger.play([
        {
          body: JSON.stringify(onRamp({ orderId, status })),
          receivedAt: instantOf(0),
          requestId: null,
          putAway: false,
        },
      ]);
    await play('a', 'fiatPending');
    await play('b', 'orderReceived');
    const models = await openSqliteReadModels(ledger.store, ZONE);
    const listed = async (limit: number): Promise<readonly string[]> => {
      const filter = { ...EVERY_ORDER, status: 'fiatpending' };
      const page = await models.answers.orders({ filter, now: instantOf(0), limit, after: null, counted: false })();
      return right(page).data.map(({ orderId }) => orderId);
    };
    expect(await listed(5)).to.deep.equal(['a']);
    await play('c', 'fiatPending');
    // What is not projected yet is in no list, and what was read is not mixed with what is read later.
    expect(await listed(1)).to.deep.equal(['a']);
    await models.project([1]);
    expect(await listed(5)).to.have.members(['a', 'c']);
    await play('a', 'orderReceived');
    await models.project([1]);
    expect(await listed(5)).to.deep.equal(['c']);
    await models.close();
  });
});

describe('a search', () => {
  const at = (hour: number): string => instantOf(Date.UTC(2024, 0, 1) + hour * 3_600_000);
  const step = (orderId: string, hour: number, status: string): Step => ({
    body: JSON.stringify(onRamp({ orderId, createdAt: at(hour), status })),
    receivedAt: instantOf(Date.UTC(2024, 2, 1)),
    requestId: null,
    putAway: false,
  });

  for (const [orders, sharing] of [
    [9, 1],
    [20, 10],
  ] as const) {
    it(`finds ${orders} orders, of which ${sharing} share a moment, where they are since their creation was changed`, async () => {
      const ledger = playedLedger();
      // They come in another order than that of their ids.
      const ids = Array.from({ length: orders }, (_, i) => `order-${(i * 7) % orders}`);
      const pending = ids.map((id, i) => step(id, Math.floor(i / sharing), 'fiatPending'));
      await ledger.play(pending.slice(0, 5));
      const models = await openSqliteReadModels(ledger.store, ZONE);
      await ledger.play(pending.slice(5));
      await models.project([2]);
      const [newest, oldest] = [ids.slice(-3), ids.slice(0, 2)];
      await ledger.play(newest.map((id, i) => step(id, i - 20, 'completed')));
      await ledger.play(oldest.map((id, i) => step(id, i + 20, 'completed')));
      await models.project([2]);
      const naive = new NaiveAnswers(await Array.fromAsync(ledger.store.readAll(null), right), businessCalendar(ZONE));
      const filter = { ...EVERY_ORDER, q: { text: '6384ad5d9f1c', personal: false, holdsMasked: false } };
      for (const limit of [1, 2, 3, 5, orders]) {
        for (const after of [null, ...naive.states]) {
          const question = { filter, now: NOW, limit, after, counted: true };
          expect(right(await models.answers.orders(question)())).to.deep.equal(naive.orders(question));
        }
      }
      await models.close();
    });
  }
});
