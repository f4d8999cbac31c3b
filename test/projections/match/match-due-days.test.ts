import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Today } from '../../../projections/match/awaited-state.ts';
import { factsOf } from '../../../projections/match/decided-facts.ts';
import { itemIdOf } from '../../../projections/match/item-id.ts';
import type { MatchOrder } from '../../../projections/match/match-order.ts';
import { orderNode } from '../../../projections/match/node.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { runs } from '../../support/runs.ts';
import { matched, papersOf, shownOf, wasPaid, type Papers } from './due-papers.ts';
import { sources, today } from './due-sources.ts';
import { completed, day, decimal, deemedPayout, itemsOf, paidOut, transferOf } from './match-scene.ts';

type Broken = readonly [code: string, sum: number];

const daysTo = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;

/** What one order is missed by on a day: what was settled is due some days behind its own day, at the bank also once a file has that. */
const missedBy = (order: MatchOrder, { lines, transfers }: Papers, on: Today): readonly string[] => {
  const isLacking = lines.length === 0 && (order.flow === 'offramp' || transfers.length === 0);
  if (!isLacking || !wasPaid(order)) return [];
  const its = order.settledDay ?? order.createdDay;
  const files = on.covered.filter((file) => file.currency === order.currency);
  const isLate = daysTo(its, on.today) >= on.dueDays;
  const isCovered = files.some(({ from, to }) => from <= its && its <= to);
  const isAtBank = (order.flow === 'offramp' || files.length > 0) && (isLate || isCovered);
  const isOnChain = order.flow === 'onramp' && on.chains.has(order.chainId) && isLate;
  return [...(isAtBank ? ['missing-at-bank'] : []), ...(isOnChain ? ['missing-on-chain'] : [])];
};

/** What is missed of all orders of an item: a sum for payouts, and for on-ramp orders of a chain, in each currency. */
const missedIn = (papers: Papers, on: Today): readonly Broken[] => {
  const each = papers.orders.flatMap((order) => missedBy(order, papers, on).map((code) => ({ code, order })));
  const kinds = Map.groupBy(each, ({ code, order: { flow, currency, chainId } }) =>
    [code, flow, currency, flow === 'onramp' ? chainId : ''].join(' '),
  );
  return [...kinds.values()].map((its): Broken => [
    its[0]?.code ?? '',
    its.reduce((sum, { order }) => sum + Number(order.fiat), 0),
  ]);
};

const sorted = (all: readonly Broken[]): readonly string[] => all.map((one) => one.join(' ')).toSorted();

const TODAY = { dueDays: 2, covered: [], chains: new Set<string>() } as const;

/** Orders that somebody accepted together, when they said something else. */
const together = (orders: readonly MatchOrder[], transfers: readonly ReturnType<typeof transferOf>[] = []) => {
  const group = orders.map(({ orderId }) => orderNode(orderId)).toSorted();
  const itemId = itemIdOf(group);
  const said = { itemId, decision: 'accept', with: [], note: '', by: 'k', at: instantOf(1), group, apart: [] } as const;
  const [item, ...more] = itemsOf({ orders, transfers, decisions: [{ ...said, facts: factsOf([]) }] });
  expect(more).to.deep.equal([]);
  return item ?? expect.fail('accepted together they are one item');
};

/** The state on a day, and each break with the order's side. */
const on = (item: ReturnType<typeof together>, text: string, over: Partial<Today> = {}): readonly string[] => {
  const shown = shownOf(item, { ...TODAY, ...over, today: day(text) });
  return [shown?.state ?? '', ...(shown?.breaks.map(({ code, order }) => `${code} ${order}`) ?? [])];
};

const paid = (id: string, fiat: string, settled: string) =>
  paidOut(id, `U-${id}`, { fiat: decimal(fiat), settledDay: day(settled) });

describe('the day from which on an order is missed', () => {
  it('is its own, whatever it is in one item with', () => {
    let [early, late] = [0, 0];
    fc.assert(
      fc.property(sources, today, (all, when) => {
        for (const item of matched(all)) {
          const shown = shownOf(item, when);
          if (item.state !== 'awaited' || shown === null) continue;
          const missed = missedIn(papersOf(item, all), when);
          const found = shown.breaks.map(({ code, order }): Broken => [code, Number(order)]);
          if (missed.length > 0) {
            late += 1;
            expect(shown.state).to.equal('unmatched-order');
            expect(sorted(found)).to.deep.equal(sorted(missed));
          } else {
            early += 1;
            expect([shown.state, found.map(([code]) => code)]).to.deep.equal(['expected', ['timing']]);
          }
        }
      }),
      { numRuns: runs(1_000) },
    );
    expect(Math.min(early, late)).to.be.greaterThan(0);
  });

  it('is not that of an order beside it which settled before', () => {
    const item = together([paid('a', '60', '2026-03-10'), paid('b', '7', '2026-03-12')]);
    expect(on(item, '2026-03-11')).to.deep.equal(['expected', 'timing 2026-03-10']);
    expect(on(item, '2026-03-12')).to.deep.equal(['unmatched-order', 'missing-at-bank 60']);
    expect(on(item, '2026-03-14')).to.deep.equal(['unmatched-order', 'missing-at-bank 67']);
  });

  it('is not that of an order beside it which has its transfer', () => {
    const sent = completed('a', '0xaa', { settledDay: day('2026-03-01') });
    const item = together([sent, paid('b', '7', '2026-03-12')], [transferOf('0xaa')]);
    expect(on(item, '2026-03-13')).to.deep.equal(['expected', 'timing 2026-03-12']);
    expect(on(item, '2026-03-14')).to.deep.equal(['unmatched-order', 'missing-at-bank 7']);
  });

  it('is one that a file covers, where that is its own, and none where only that of another is', () => {
    const item = together([paid('a', '60', '2026-03-10'), paid('b', '7', '2026-03-12')]);
    const file = (of: string) => ({ covered: [{ currency: 'INR', from: day(of), to: day(of) }], dueDays: 20 });
    expect(on(item, '2026-03-13', file('2026-03-10'))).to.deep.equal(['unmatched-order', 'missing-at-bank 60']);
    expect(on(item, '2026-03-13', file('2026-03-12'))).to.deep.equal(['unmatched-order', 'missing-at-bank 7']);
    expect(on(item, '2026-03-13', file('2026-03-11'))).to.deep.equal(['expected', 'timing 2026-03-10']);
  });

  it('is none of a payout that is not confirmed, which makes nothing beside it wait', () => {
    const item = together([deemedPayout('a', 'U-a'), paid('b', '7', '2026-03-12')]);
    expect(on(item, '2026-03-13')[0]).to.equal('expected');
    expect(on(item, '2026-03-14')).to.deep.equal(['unmatched-order', 'missing-at-bank 7']);
  });
});
