import { expect } from 'chai';
import type { OrderState } from '../../../../projections/order-state/index.ts';
import { businessCalendar } from '../../../../src/domain/business-day.ts';
import { instantOf } from '../../../../src/domain/instant.ts';
import type { JsonObject } from '../../../../src/domain/json.ts';
import { EVERY_ORDER, type OrderFilter } from '../../../../src/read-models/order-filter.ts';
import { PAGE_BYTES } from '../../../../src/read-models/page-bytes.ts';
import type { AsOf, OrderPlace, OrdersPage, OrdersQuestion } from '../../../../src/read-models/read-models.ts';
import { stateText } from '../../../../src/read-models/stored-state.ts';
import { playedLedger, type Step } from '../../../support/ledger-script.ts';
import { NaiveAnswers } from '../../../support/naive-answers.ts';
import { onRamp } from '../../../support/payloads.ts';
import { right } from '../../../support/right.ts';
import { openSqliteReadModels } from '../../../support/sqlite-read-models.ts';
import type { OpenReadModels } from '../../read-models-contract.ts';

const ZONE = 'UTC';
const HOUR = 3_600_000;
const NOW = instantOf(Date.UTC(2024, 0, 40));
const ORDERS = 40;
const MOST = 500;

/** From some that many are of a page, to one that is larger than a page. */
const sizeOf = (i: number): number => (i === 17 ? PAGE_BYTES + 1 : ((i * 7_919) % 11) * 60_000);

const step = (i: number, status: string, beside: JsonObject = {}): Step => ({
  body: JSON.stringify(
    onRamp({
      orderId: `order-${(i * 13) % ORDERS}`,
      status,
      createdAt: instantOf(Date.UTC(2024, 0, 1) + Math.floor(i / 3) * HOUR),
      metaData: { note: 'x'.repeat(sizeOf(i)) },
      ...beside,
    }),
  ),
  receivedAt: instantOf(Date.UTC(2024, 0, 20)),
  requestId: null,
  putAway: false,
});

const FOUND: Partial<OrderFilter> = { q: { text: '6384ad5d9f1c', personal: false, holdsMasked: false } };

describe('pages of large orders', function () {
  this.timeout(120_000);
  let models: OpenReadModels;
  let naive: NaiveAnswers;
  let moments: readonly AsOf[];

  before(async () => {
    const ledger = playedLedger();
    await ledger.play(Array.from({ length: ORDERS }, (_, i) => step(i, 'fiatPending')));
    // Those that change are of every age, and as large as they were.
    await ledger.play(Array.from({ length: ORDERS / 5 }, (_, i) => step(i * 5, 'completed', { currency: 'USD' })));
    models = await openSqliteReadModels(ledger.store, ZONE);
    naive = new NaiveAnswers(await Array.fromAsync(ledger.store.readAll(null), right), businessCalendar(ZONE));
    // One that the log is read up to, and one from which little has changed since: few orders are left out of today's list.
    moments = [ORDERS - 1, naive.events.length - 4].map((at) => {
      const event = naive.events[at] ?? expect.fail('there is no such event');
      return { checkpoint: { position: event.position, at: event.recordedAt } };
    });
  });
  after(() => models.close());

  /** The orders of each page of a list. */
  const pages = async (
    filter: Partial<OrderFilter>,
    limit: number,
    asOf: AsOf | null,
  ): Promise<readonly string[][]> => {
    const found: string[][] = [];
    for (let after: OrderPlace | null = null, more = true; more;) {
      const question: OrdersQuestion = {
        filter: { ...EVERY_ORDER, ...filter },
        now: NOW,
        limit,
        after,
        counted: false,
      };
      const page: OrdersPage<OrderState> = right(
        await models.answers.orders(asOf === null ? question : { ...question, asOf })(),
      );
      const bytes = page.data.reduce((sum, state) => sum + stateText(state).length, 0);
      if (page.data.length > 1) expect(bytes).to.be.at.most(PAGE_BYTES);
      found.push(page.data.map(({ orderId }) => orderId));
      after = page.data.at(-1) ?? null;
      more = page.more;
    }
    return found;
  };

  const FILTERS: Readonly<Record<string, Partial<OrderFilter>>> = { all: {}, found: FOUND, few: { currency: 'USD' } };

  it('end by their size, and have each order once, in order, whatever is listed', async () => {
    for (const [name, filter] of Object.entries(FILTERS)) {
      const listed = naive.listed({ ...EVERY_ORDER, ...filter }, NOW).map(({ orderId }) => orderId);
      for (const limit of [3, MOST]) {
        const found = await pages(filter, limit, null);
        expect(found.flat(), `${name} ${limit}`).to.deep.equal(listed);
        expect(found.length, name).to.be.greaterThan(1);
      }
    }
  });

  it('do so as of moments too', async () => {
    for (const [name, filter] of Object.entries(FILTERS)) {
      for (const [at, then] of moments.entries()) {
        const listed = naive.at(then).listed({ ...EVERY_ORDER, ...filter }, NOW);
        for (const limit of [3, MOST]) {
          const found = await pages(filter, limit, then);
          expect(found.flat(), `${name} ${limit} ${at}`).to.deep.equal(listed.map(({ orderId }) => orderId));
        }
      }
    }
  });

  it('are counted and summed whole, of found ones as many as there is time for', async () => {
    const question = { filter: EVERY_ORDER, now: NOW, limit: MOST, after: null, counted: true };
    expect(right(await models.answers.orders(question)()).total).to.deep.equal(naive.orders(question).total);
    const { total } = right(await models.answers.orders({ ...question, filter: { ...EVERY_ORDER, ...FOUND } })());
    expect(total).to.include({ atLeast: true });
    expect(total?.orders).to.be.within(1, ORDERS - 1);
  });
});

describe('a page of usual orders', () => {
  it('has as many as it may, several times as large as they are', async () => {
    const ledger = playedLedger();
    const metaData = { note: 'x'.repeat(3_000) };
    const steps = Array.from({ length: MOST + 1 }, (_, i) => step(i, 'completed', { orderId: `o-${i}`, metaData }));
    await ledger.play(steps);
    const models = await openSqliteReadModels(ledger.store, ZONE);
    try {
      const question = { filter: EVERY_ORDER, now: NOW, limit: MOST, after: null, counted: false };
      const page = right(await models.answers.orders(question)());
      expect([page.data.length, page.more]).to.deep.equal([MOST, true]);
    } finally {
      await models.close();
    }
  }).timeout(60_000);
});
