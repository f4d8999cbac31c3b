import { expect } from 'chai';
import type { MatchDecision } from '../../../projections/match/decision.ts';
import { itemIdOf } from '../../../projections/match/item-id.ts';
import { orderNode } from '../../../projections/match/node.ts';
import { foldOrder } from '../../../projections/order-state/index.ts';
import { branded } from '../../../src/domain/brand.ts';
import type { OrderId } from '../../../src/domain/ids.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { sha256 } from '../../../src/domain/sha256.ts';
import type { StatementId } from '../../../src/domain/statement-line.ts';
import { day } from '../../projections/match/match-scene.ts';
import { onRampEvent } from '../../support/ledger-events.ts';
import { orderState } from '../../support/match-batches.ts';
import { NO_FILTER, PlayedMatch, TODAY } from '../../support/played-match.ts';
import { allItems } from './match-steps.ts';

/** Somebody accepted orders together, of which one says something else by now. */
const acceptedOnce = (ids: readonly string[]): MatchDecision => {
  const group = ids.map((id) => orderNode(branded<OrderId>(id))).toSorted();
  const itemId = itemIdOf(group);
  const said = { itemId, decision: 'accept', with: [], note: '', by: 'k', at: instantOf(1), group, apart: [] } as const;
  return { ...said, facts: 'what they said then' };
};

describe('orders that were accepted together and are no longer what was accepted', () => {
  for (const names of [
    ['a', 'b', 'c'],
    ['c', 'b', 'a'],
  ] as const)
    it(`are missed for what was paid and for nothing else, as ${names.join(', ')}`, () => {
      const match = new PlayedMatch(50);
      const [failed, paid, deemed] = names;
      match.play({ kind: 'order', state: orderState(failed, 'fiatDeemed', 'U1', 100) });
      match.play({ kind: 'order', state: orderState(paid, 'PayoutSuccess', 'U2', 60) });
      match.play({ kind: 'order', state: orderState(deemed, 'fiatDeemed', 'U3', 7, 'EUR') });
      match.play({ kind: 'change', change: { _tag: 'Decided', decision: acceptedOnce(names) } });
      match.play({ kind: 'order', state: orderState(failed, 'fiatFailed', 'U1', 100) });
      const [item, ...more] = allItems(match.queries, 50);
      expect(more).to.deep.equal([]);
      expect([item?.state, item?.flow, item?.currency, item?.fiat, item?.others]).to.deep.equal([
        'unmatched-order',
        'offramp',
        'INR',
        '160',
        [{ currency: 'EUR', fiat: '7' }],
      ]);
      expect(item?.breaks.map(({ code, order }) => [code, order])).to.deep.equal([['missing-at-bank', '60']]);
      const { rows } = match.queries.matchSummary({ filter: NO_FILTER, day: TODAY });
      expect(rows.map(({ currency, state, items, fiat }) => [currency, state, items, fiat])).to.deep.equal([
        ['EUR', 'unmatched-order', 1, '7'],
        ['INR', 'unmatched-order', 1, '160'],
      ]);
      expect(match.problems()).to.deep.equal([]);
      match.close();
    });

  it('are missed for what is due behind a payout that is not confirmed, in lists and in summaries', () => {
    const match = new PlayedMatch(50);
    const completed = foldOrder([onRampEvent('completed', { orderId: 'n', currency: 'EUR' })]);
    match.play({ kind: 'order', state: orderState('d', 'fiatDeemed', 'U1', 100) });
    match.play({ kind: 'order', state: completed ?? expect.fail('an order event makes an order') });
    match.play({ kind: 'change', change: { _tag: 'Decided', decision: acceptedOnce(['d', 'n']) } });
    const states = (): readonly unknown[] => [
      ...allItems(match.queries, 50).map(({ state, breaks }) => [state, ...breaks.map(({ code }) => code)]),
      ...match.queries
        .matchSummary({ filter: NO_FILTER, day: { today: day('2099-01-01'), dueDays: 2 } })
        .rows.map(({ currency, state }) => [currency, state]),
    ];
    // Neither bank nor chain of the on-ramp order was imported.
    expect(states()).to.deep.equal([
      ['expected', 'timing'],
      ['EUR', 'expected'],
      ['INR', 'expected'],
    ]);
    expect(match.problems()).to.deep.equal([]);
    const statementId = branded<StatementId>(sha256('a file'));
    const days = { from: day('2026-01-01'), to: day('2026-01-01') };
    match.play({ kind: 'change', change: { _tag: 'Covered', statementId, currency: 'EUR', ...days } });
    expect(states()).to.deep.equal([
      ['unmatched-order', 'missing-at-bank'],
      ['EUR', 'unmatched-order'],
      ['INR', 'unmatched-order'],
    ]);
    match.close();
  });
});
