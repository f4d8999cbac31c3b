import { expect } from 'chai';
import * as fc from 'fast-check';
import { foldOrder } from '../../../projections/order-state/index.ts';
import { businessCalendar } from '../../../src/domain/business-day.ts';
import { exactOf, plainText } from '../../../src/domain/exact.ts';
import { parseDecimal } from '../../../src/domain/decimal.ts';
import { orderShare, type OrderShare } from '../../../src/read-models/order-row.ts';
import { ShareMemory, type KeptShare } from '../../../src/read-models/sqlite/share-memory.ts';
import { inArrivalOrder } from '../../support/ledger-events.ts';
import { sentDeliveries, taken } from '../../support/order-deliveries.ts';
import { there } from '../../support/sqlite-read-models.ts';

const CALENDAR = businessCalendar('Asia/Kolkata');

/** What orders of some deliveries add. */
const shares: fc.Arbitrary<readonly OrderShare[]> = sentDeliveries.map((sent) =>
  [...Map.groupBy(taken(sent).events, ({ facts }) => facts.orderId).values()].map((events) =>
    orderShare({ state: there(foldOrder(inArrivalOrder(events))), otherUtrs: [] }, CALENDAR),
  ),
);

const amounts = (cells: KeptShare['cells']) =>
  cells.map(({ basis, day, measures: { orders, fiat, tokenAmount } }) => ({
    basis,
    day,
    orders,
    fiat: plainText(fiat),
    tokenAmount: plainText(tokenAmount),
  }));

const [FIRST] = fc.sample(
  shares.filter(([first]) => first?.settledDay === null && first.cells.length === 1),
  {
    numRuns: 1,
    seed: 1,
  },
);
const OPEN = there(there(FIRST)[0]);

describe('the memory of what orders add', () => {
  it('gives back what it was given, or nothing', () => {
    let known = 0;
    fc.assert(
      fc.property(shares, (all) => {
        const memory = new ShareMemory(64);
        for (const [i, share] of all.entries()) memory.keep(i + 1, i + 7, share);
        for (const [i, share] of all.entries()) {
          const kept = memory.get(i + 1);
          if (kept === null) continue;
          known += 1;
          const { settledDay, terms, termRank, matchTerms, makesItem } = share;
          const { cells, ...rest } = kept;
          expect(rest).to.deep.equal({ facet: i + 7, settledDay, terms, termRank, matchTerms, makesItem });
          expect(amounts(cells)).to.deep.equal(amounts(share.cells));
        }
      }),
    );
    expect(known).to.be.greaterThan(50);
  });

  it('knows an order that is under way', () => {
    const memory = new ShareMemory(8);
    memory.keep(5, 1, OPEN);
    expect(memory.get(5)?.terms).to.deep.equal(OPEN.terms);
    expect(memory.get(13)).to.equal(null);
  });

  it('knows the newest of those that take one place', () => {
    const memory = new ShareMemory(8);
    memory.keep(5, 1, OPEN);
    memory.keep(13, 2, OPEN);
    expect(memory.get(5)).to.equal(null);
    expect(memory.get(13)?.facet).to.equal(2);
  });

  it('forgets an order that becomes one which it does not keep', () => {
    const memory = new ShareMemory(8);
    const [cell] = OPEN.cells;
    const fiat = exactOf(there(parseDecimal('9007199254740993')));
    const large = { ...there(cell), measures: { ...there(cell).measures, fiat } };
    for (const unusual of [
      { ...OPEN, settledDay: there(cell).day },
      { ...OPEN, terms: Array.from({ length: 20 }, (_, i) => i) },
      { ...OPEN, cells: [large] },
      { ...OPEN, cells: [there(cell), { ...there(cell), basis: 'settled' as const }] },
    ]) {
      memory.keep(5, 1, OPEN);
      memory.keep(5, 1, unusual);
      expect(memory.get(5)).to.equal(null);
    }
  });

  it('forgets everything when it is told to', () => {
    const memory = new ShareMemory(8);
    memory.keep(5, 1, OPEN);
    memory.clear();
    expect(memory.get(5)).to.equal(null);
  });
});
