import { expect } from 'chai';
import * as fc from 'fast-check';
import { exactOf, plainText, plus, ZERO } from '../../../src/domain/exact.ts';
import type { CurrencyCode } from '../../../src/domain/statement-line.ts';
import { branded } from '../../../src/domain/brand.ts';
import type { ShownItem } from '../../../src/read-models/match-questions.ts';
import { decimal } from '../../projections/match/match-scene.ts';
import { lineOf, orderState } from '../../support/match-batches.ts';
import { NO_FILTER, PlayedMatch, TODAY, type MatchStep } from '../../support/played-match.ts';
import { runs } from '../../support/runs.ts';
import { allItems } from './match-steps.ts';

const CURRENCIES = ['INR', 'EUR', 'USD'] as const;

const currency = fc.constantFrom(...CURRENCIES);

const order: fc.Arbitrary<MatchStep> = fc
  .tuple(fc.constantFrom('o1', 'o2', 'o3', 'o4'), fc.constantFrom('U1', 'U2', null), fc.constantFrom(100, 60), currency)
  .map(([id, utr, fiat, its]) => ({ kind: 'order', state: orderState(id, 'PayoutSuccess', utr, fiat, its) }));

const file: fc.Arbitrary<MatchStep> = fc
  .tuple(fc.constantFrom('U1', 'U2', 'U9'), fc.constantFrom('100', '60.00'), currency)
  .map(([utr, amount, its]) => ({
    kind: 'file',
    lines: [
      lineOf(`${utr} ${amount} ${its}`, {
        references: [utr],
        amount: decimal(amount),
        currency: branded<CurrencyCode>(its),
      }),
    ],
  }));

/** What an item comes to in a currency; null where none of its orders, nor of its lines without any, is of it. */
const fiatIn = ({ orders, lines }: ShownItem, asked: string): string | null => {
  const amounts =
    orders.length > 0
      ? orders.filter((it) => it.currency === asked).map(({ fiat }) => fiat)
      : lines.filter((it) => it.currency === asked).map(({ amount }) => amount);
  return amounts.length === 0 ? null : plainText(amounts.map(exactOf).reduce(plus, ZERO));
};

describe('items of several currencies', () => {
  it('are summed, counted and found in each of them, and nowhere else, and are counted once over all of them', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(order, order, file), { minLength: 1, maxLength: 8 }), (steps) => {
        const match = new PlayedMatch(50);
        for (const step of steps) match.play(step);
        const all = allItems(match.queries, 50);
        for (const asked of CURRENCIES) {
          const filter = { ...NO_FILTER, currency: asked };
          const its = all.filter((item) => fiatIn(item, asked) !== null);
          expect(allItems(match.queries, 2, { filter })).to.deep.equal(its);
          const { rows } = match.queries.matchSummary({ filter, day: TODAY });
          expect(rows.map((row) => row.currency)).to.satisfy((of: unknown[]) => of.every((it) => it === asked));
          for (const { state, items, fiat } of rows) {
            const inState = its.filter((item) => item.state === state);
            expect(items, state).to.equal(inState.length);
            const sum = inState.map((item) => exactOf(decimal(fiatIn(item, asked) ?? '0'))).reduce(plus, ZERO);
            expect(fiat, state).to.equal(plainText(sum));
          }
          expect(rows.reduce((sum, { items }) => sum + items, 0)).to.equal(its.length);
        }
        for (const onlyOpen of [{}, { onlyOpen: true }] as const) {
          const { rows } = match.queries.matchSummary({ filter: NO_FILTER, day: TODAY, ...onlyOpen });
          const once = Map.groupBy(rows, ({ state }) => state);
          for (const [state, its] of once) {
            const inState = all.filter((item) => item.state === state);
            expect(
              its.reduce((sum, { itemsOnce }) => sum + itemsOnce, 0),
              state,
            ).to.equal(inState.length);
          }
        }
        expect(match.problems()).to.deep.equal([]);
        match.close();
      }),
      { numRuns: runs(80) },
    );
  });

  it('have both amounts of two orders that were paid with one utr', () => {
    const match = new PlayedMatch(50);
    match.play({ kind: 'order', state: orderState('x1', 'PayoutSuccess', 'U1', 100) });
    match.play({ kind: 'order', state: orderState('x2', 'PayoutSuccess', 'U1', 200, 'EUR') });
    const { rows } = match.queries.matchSummary({ filter: NO_FILTER, day: TODAY });
    expect(rows.map((row) => [row.currency, row.state, row.items, row.itemsOnce, row.fiat])).to.deep.equal([
      ['EUR', 'break', 1, 1, '200'],
      ['INR', 'break', 1, 0, '100'],
    ]);
    expect(allItems(match.queries, 2)).to.have.length(1);
    match.close();
  });
});
