import { join } from 'node:path';
import { expect } from 'chai';
import type { OrderState } from '../../../../projections/order-state/index.ts';
import { businessCalendar } from '../../../../src/domain/business-day.ts';
import { instantOf } from '../../../../src/domain/instant.ts';
import { EVERY_ORDER, type OrderFilter } from '../../../../src/read-models/order-filter.ts';
import { PAGE_BYTES } from '../../../../src/read-models/page-bytes.ts';
import type { OrderPlace, OrdersQuestion, Page } from '../../../../src/read-models/read-models.ts';
import type { Snapshot } from '../../../../src/read-models/snapshot.ts';
import { Generations } from '../../../../src/read-models/sqlite/generations.ts';
import { openSnapshot } from '../../../../src/read-models/sqlite/open-queries.ts';
import { rebuild } from '../../../../src/read-models/sqlite/rebuild/rebuild.ts';
import { playedLedger, type Step } from '../../../support/ledger-script.ts';
import { NaiveAnswers } from '../../../support/naive-answers.ts';
import { onRamp } from '../../../support/payloads.ts';
import { right } from '../../../support/right.ts';
import { rebuildDeps, there } from '../../../support/sqlite-read-models.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const ORDERS = 30;
const HOUR = 3_600_000;
const NOW = instantOf(Date.UTC(2024, 0, 40));
const TEXT = 'one-and-the-same';

/** Seven are more than a page. The newest are found as a wallet, by one term; every third of the older ones as a customer, by another. */
const LARGE = Math.ceil(PAGE_BYTES / 6.5);

const step = (i: number): Step => ({
  body: JSON.stringify(
    onRamp({
      orderId: `order-${String(i).padStart(2, '0')}`,
      // Two of a moment each, the newest first.
      createdAt: instantOf(Date.UTC(2024, 0, 20) - Math.floor(i / 2) * HOUR),
      metaData: { note: 'x'.repeat(i === 20 ? PAGE_BYTES + 1 : LARGE) },
      ...(i % 3 === 2 ? { customer: { id: TEXT } } : { receiverWalletAddress: TEXT }),
    }),
  ),
  receivedAt: instantOf(Date.UTC(2024, 0, 21)),
  requestId: null,
  putAway: false,
});

const FILTERS: Readonly<Record<string, Partial<OrderFilter>>> = {
  all: {},
  'what a text finds': { q: { text: TEXT, personal: false, holdsMasked: false } },
};

/** Which of the orders are left out, by their place in the list. */
const LEFT_OUT: Readonly<Record<string, (at: number) => boolean>> = {
  'without any': () => false,
  'without the first ones': (at) => at < 5,
  'without more than a page of them': (at) => at < 11,
  'without every second one': (at) => at % 2 === 0,
  'without most of them': (at) => at % 10 !== 9,
  'without the last ones': (at) => at > 3,
  'without any that is left': () => true,
};

describe('large orders without some of them', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  let generations: Generations;
  let snapshot: Snapshot;
  let naive: NaiveAnswers;

  before(async () => {
    const ledger = playedLedger();
    await ledger.play(Array.from({ length: ORDERS }, (_, i) => step(i)));
    generations = right(Generations.open(join(folder.path, 'read-models.db')));
    right(await rebuild(rebuildDeps(ledger.store, generations, 'UTC')));
    snapshot = there(openSnapshot(generations));
    naive = new NaiveAnswers(await Array.fromAsync(ledger.store.readAll(null), right), businessCalendar('UTC'));
  });
  after(async () => {
    await snapshot.close();
    generations.close();
    folder.remove();
  });

  for (const [name, filter] of Object.entries(FILTERS)) {
    for (const [without, isOut] of Object.entries(LEFT_OUT)) {
      it(`have each that is left once, in order: ${name}, ${without}`, async () => {
        const listed = naive.listed({ ...EVERY_ORDER, ...filter }, NOW).map(({ orderId }) => orderId);
        expect(listed).to.have.length(ORDERS);
        const out = new Set(listed.filter((_, at) => isOut(at)));
        for (const limit of [3, 500]) {
          const question = { filter: { ...EVERY_ORDER, ...filter }, now: NOW, limit, counted: false };
          const found: string[] = [];
          for (let after: OrderPlace | null = null, more = true; more;) {
            const asked: OrdersQuestion = { ...question, after };
            const page: Page<OrderState> = right(await snapshot.ordersWithout(asked, (id) => out.has(id))());
            // What says that there is more leads on, and to something.
            if (page.more || after !== null) expect(page.data).not.to.deep.equal([]);
            found.push(...page.data.map(({ orderId }) => orderId));
            after = page.data.at(-1) ?? null;
            more = page.more;
          }
          expect(found, String(limit)).to.deep.equal(listed.filter((id) => !out.has(id)));
        }
      });
    }
  }

  it('are read no further by a search than a page goes', async () => {
    let looked = 0;
    const filter = { ...EVERY_ORDER, ...FILTERS['what a text finds'] };
    const question = { filter, now: NOW, limit: 500, after: null, counted: false };
    right(await snapshot.ordersWithout(question, () => (looked += 1) < 0)());
    expect(looked).to.be.within(7, 15);
  });
});
