import { expect } from 'chai';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { businessCalendar } from '../../../src/domain/business-day.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { openInMatch } from '../../../src/queries/reconciliation/open-in-match.ts';
import { decimal } from '../../projections/match/match-scene.ts';
import { lineOf, orderState } from '../../support/match-batches.ts';
import { PlayedMatch } from '../../support/played-match.ts';
import { right } from '../../support/right.ts';

const open = async (match: PlayedMatch) =>
  right(
    await openInMatch({
      readModels: { matchSummary: (question) => TE.right(match.queries.matchSummary(question)) },
      calendar: businessCalendar('UTC'),
      matchDueDays: 2,
      now: () => instantOf(Date.UTC(2026, 3, 30)),
    })(),
  );

describe('what is open in the match', () => {
  it('is counted once, whatever currencies it is of, and comes to something in each of them', async () => {
    const match = new PlayedMatch(50);
    expect(await open(match)).to.deep.equal({ items: 0, shares: [] });
    match.play({ kind: 'order', state: orderState('x1', 'PayoutSuccess', 'U1', 100) });
    match.play({ kind: 'order', state: orderState('x2', 'PayoutSuccess', 'U1', 200, 'EUR') });
    match.play({ kind: 'order', state: orderState('x3', 'PayoutSuccess', 'U2', 5) });
    match.play({ kind: 'order', state: orderState('x4', 'PayoutSuccess', 'U3', 7) });
    match.play({ kind: 'file', lines: [lineOf('l', { references: ['U3'], amount: decimal('7') })] });
    expect(await open(match)).to.deep.equal({
      items: 2,
      shares: [
        { currency: 'EUR', items: 1, fiat: '200' },
        { currency: 'INR', items: 2, fiat: '105' },
      ],
    });
    match.close();
  });
});
