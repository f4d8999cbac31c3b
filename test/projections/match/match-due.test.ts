import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Today } from '../../../projections/match/awaited-state.ts';
import type { MatchOrder } from '../../../projections/match/match-order.ts';
import { namesOf } from '../../../projections/match/match-all.ts';
import type { MatchSources } from '../../../projections/match/memory-index.ts';
import { orderNode } from '../../../projections/match/node.ts';
import { runs } from '../../support/runs.ts';
import { MatchBook } from './match-book.ts';
import { day } from './match-scene.ts';
import { IDS, orderOf, sources, today } from './due-sources.ts';
import { matched, shownOf, wasPaid, isWanted, papersOf, hasItsMoney, saysSo, sumsOf } from './due-papers.ts';
import { renamed, nameless, inOrder } from './renamed-orders.ts';

describe('what is due in items of the match, whatever was decided and however orders changed since', () => {
  it('has every order that was paid or should have been, every line and every transfer in exactly one item, and shows it', () => {
    fc.assert(
      fc.property(sources, today, (all, on) => {
        const items = matched(all);
        const shown = items.filter((item) => shownOf(item, on) !== null).flatMap(({ members }) => members);
        const every = items.flatMap(({ members }) => members);
        expect(new Set(every).size).to.equal(every.length);
        const isHeld = (order: MatchOrder): boolean =>
          order.flow === 'offramp' ||
          on.covered.some((file) => file.currency === order.currency) ||
          on.chains.has(order.chainId);
        const wanted = all.orders.filter(isWanted);
        expect(every).to.include.members(wanted.map(({ orderId }) => orderNode(orderId)));
        expect(shown).to.include.members([...namesOf({ ...all, orders: wanted.filter(isHeld) })]);
      }),
      { numRuns: runs(400) },
    );
  });

  it('calls nothing matched that lacks its money, unless somebody has accepted exactly that', () => {
    let seen = 0;
    fc.assert(
      fc.property(sources, (all) => {
        for (const item of matched(all)) {
          const papers = papersOf(item, all);
          if (item.state !== 'matched' || all.decisions.some((decision) => saysSo(decision, papers))) continue;
          for (const order of papers.orders.filter(isWanted)) {
            seen += 1;
            expect(hasItsMoney(order, papers), JSON.stringify(papers)).to.equal(true);
          }
        }
      }),
      { numRuns: runs(1_000) },
    );
    expect(seen).to.be.greaterThan(0);
  });

  it('misses what was paid with the sum of just that, by flow and currency', () => {
    let missed = 0;
    fc.assert(
      fc.property(sources, (all) => {
        const late: Today = {
          today: day('2026-04-30'),
          dueDays: 2,
          covered: ['INR', 'EUR'].map((of) => ({ currency: of, from: day('2026-03-01'), to: day('2026-03-01') })),
          chains: new Set(),
        };
        for (const item of matched(all)) {
          const { orders, lines, transfers } = papersOf(item, all);
          const paid = orders.filter(wasPaid);
          if (item.state !== 'awaited' || lines.length + transfers.length > 0 || paid.length === 0) continue;
          missed += 1;
          const shown = shownOf(item, late);
          expect(shown?.state).to.equal('unmatched-order');
          expect(shown?.breaks.map(({ code }) => code)).to.deep.equal(sumsOf(paid).map(() => 'missing-at-bank'));
          expect(shown?.breaks.map(({ order }) => order).toSorted()).to.deep.equal(sumsOf(paid));
        }
      }),
      { numRuns: runs(400) },
    );
    expect(missed).to.be.greaterThan(0);
  });

  it('says the same of orders of other names', () => {
    fc.assert(
      fc.property(sources, fc.shuffledSubarray([...IDS], { minLength: IDS.length }), (all, others) => {
        const there = new Map<string, string>(IDS.map((id, at) => [id, others[at] ?? id]));
        const back = new Map<string, string>([...there].map(([from, to]) => [to, from]));
        const same = new Map<string, string>();
        const here = renamed(all, same);
        const its = matched(renamed(all, there)).map((item) => nameless(item, back));
        expect(inOrder(its)).to.deep.equal(inOrder(matched(here).map((item) => nameless(item, same))));
      }),
      { numRuns: runs(400) },
    );
  });

  it('comes to the same step by step, orders going through other states on the way', () => {
    fc.assert(
      fc.property(
        sources.chain((all) =>
          fc.tuple(fc.constant(all), fc.tuple(...all.orders.map(({ orderId }) => orderOf(orderId)))),
        ),
        ([all, before]) => {
          const book = new MatchBook();
          let now: MatchSources = { ...all, orders: before };
          book.update(now, [...namesOf(now)]);
          for (const order of all.orders) {
            now = { ...now, orders: [...now.orders.filter(({ orderId }) => orderId !== order.orderId), order] };
            book.update(now, [orderNode(order.orderId)]);
          }
          expect(book.items()).to.deep.equal(matched(all));
        },
      ),
      { numRuns: runs(200) },
    );
  });
});
