import { expect } from 'chai';
import * as fc from 'fast-check';
import { matchAll } from '../../../../projections/match/match-all.ts';
import { matchOrderOf } from '../../../../projections/match/match-order.ts';
import { businessCalendar } from '../../../../src/domain/business-day.ts';
import { USUAL_MATCH_SETTINGS } from '../../../../src/domain/match-settings.ts';
import { positionAt } from '../../../../src/domain/position.ts';
import { decimal, utcCalendar } from '../../../projections/match/match-scene.ts';
import { lineOf, orderState } from '../../../support/match-batches.ts';
import { NO_FILTER, paid, PlayedMatch, TODAY, type MatchStep } from '../../../support/played-match.ts';
import { runs } from '../../../support/runs.ts';

const ALL = { filter: NO_FILTER, state: null, rule: null, code: null, orderId: null, lineId: null };

/** What an order that nothing was found for lacks. */
const OF_THE_DAY: ReadonlySet<string> = new Set(['timing', 'missing-at-bank']);

/** Lines of which many are equal in all that the match looks at. */
const line = fc
  .tuple(fc.nat(30), fc.constantFrom<readonly string[]>([], [], [], [], ['U1'], ['T-o2'], ['x']))
  .map(([n, references]) => lineOf(`${n} ${references.join()}`, { amount: decimal('100'), references }));

const step: fc.Arbitrary<MatchStep> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('o1', 'o2', 'o3', 'o4'),
        fc.constantFrom('PayoutSuccess', 'PayoutSuccess', 'fiatFailed', 'fiatDeemed'),
        fc.constantFrom(null, null, 'U1'),
      )
      .map(([id, status, utr]): MatchStep => ({ kind: 'order', state: orderState(id, status, utr, 100) })),
  },
  {
    weight: 2,
    arbitrary: fc.array(line, { minLength: 1, maxLength: 9 }).map((lines): MatchStep => ({ kind: 'file', lines })),
  },
  { weight: 1, arbitrary: fc.constant<MatchStep>({ kind: 'settle' }) },
);

describe('large items of the match', () => {
  let played: PlayedMatch | null = null;

  const begun = (largeMembers: number): PlayedMatch => {
    played?.close();
    played = new PlayedMatch(largeMembers);
    return played;
  };

  afterEach(() => {
    played?.close();
    played = null;
  });

  it('come to what the match is from scratch, however their orders and equal lines came, and agree with it all the way', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 14 }), fc.constantFrom(1, 2, 4), (steps, largeMembers) => {
        const ledger = begun(largeMembers);
        for (const it of steps) {
          ledger.play(it);
          expect(ledger.problems()).to.deep.equal([]);
        }
        ledger.settle();
        expect(ledger.due()).to.equal(null);
        expect(ledger.problems()).to.deep.equal([]);
        const orders = new Map(
          steps.flatMap((it) => (it.kind === 'order' ? [[it.state.orderId, it.state] as const] : [])),
        );
        const expected = matchAll(
          {
            orders: [...orders.values()].map((state) => matchOrderOf(state, businessCalendar('UTC'))),
            lines: steps.flatMap((it) => (it.kind === 'file' ? it.lines : [])),
            transfers: [],
            decisions: [],
          },
          USUAL_MATCH_SETTINGS,
          utcCalendar,
        );
        const { data } = ledger.queries.matchItems({ ...ALL, day: TODAY, after: null, limit: 500 });
        const found = data.map(({ itemId, breaks, fiat, rule }) => ({ itemId, breaks, fiat, rule }));
        const byId = found.toSorted((a, b) => (a.itemId < b.itemId ? -1 : 1));
        const ofMatch = byId.map(({ breaks, ...it }) => ({
          ...it,
          breaks: breaks.filter(({ code }) => !OF_THE_DAY.has(code)),
        }));
        expect(ofMatch).to.deep.equal(
          expected.map(({ itemId, breaks, fiat, rule }) => ({ itemId, fiat, rule, breaks })),
        );
      }),
      { numRuns: runs(25) },
    );
  });

  it('are made anew once behind a large file, not once for each part of it, and not in the batches of their orders', () => {
    const many = 60;
    const ledger = begun(5);
    ledger.play(paid('o1'));
    const placed = ledger.countPlaced();
    ledger.play({ kind: 'file', lines: Array.from({ length: many }, (_, i) => lineOf(`l${i}`, {})) });
    ledger.settle();
    // The first parts, until there is a large item; then all of it.
    expect(placed())
      .to.be.lessThan(2 * many)
      .and.greaterThan(many);
    const before = placed();
    for (const id of ['o2', 'o3', 'o4']) ledger.play(paid(id));
    expect(placed()).to.equal(before);
    ledger.settle();
    expect(placed()).to.equal(before + many + 4);
    const { data } = ledger.queries.matchItems({ ...ALL, day: TODAY, after: null, limit: 2 });
    expect(data.map(({ state, members }) => [state, members.length])).to.deep.equal([['ambiguous', many + 4]]);
    // Nothing else waits.
    ledger.play(paid('other', 'U7'));
    expect(ledger.due()).to.equal(null);
  });

  it('are behind for who asks for what includes what waits for them, and for nobody else', () => {
    const ledger = begun(2);
    ledger.play(paid('o1'));
    ledger.play({ kind: 'file', lines: ['a', 'b', 'c'].map((name) => lineOf(name, {})) });
    expect(ledger.due()).to.equal(null);
    ledger.play(paid('o2'));
    ledger.play(paid('o3'));
    expect(ledger.due()).to.deep.equal({ position: positionAt(2), lines: 2 });
    ledger.settle();
    expect(ledger.due()).to.equal(null);
  });

  it('go on where something waits that is there no more: it does not wait for ever', () => {
    const ledger = begun(2);
    ledger.play(paid('o1'));
    // By a number that no order, line or transfer has.
    ledger.database.exec('INSERT INTO match_waiting (ref, position) VALUES (1000001, 0)');
    expect(ledger.due()?.lines).to.equal(1);
    ledger.settle();
    expect(ledger.due()).to.equal(null);
  });

  it('are as they should be where another number of members was large before', () => {
    const ledger = begun(2);
    /** Items that are noted as large, and how many of them there are. */
    const large = (): unknown =>
      ledger.database
        .prepare('SELECT count(*), count(no) FROM match_large LEFT JOIN match_items ON no = item')
        .raw()
        .get();
    const names = ['a', 'b', 'c', 'd'];
    ledger.play({ kind: 'file', lines: names.map((name) => lineOf(name, {})) });
    ledger.play(paid('o1'));
    ledger.settle();
    expect(large()).to.deep.equal([1, 1]);
    ledger.goOnWith(50);
    ledger.play(paid('o2'));
    ledger.settle();
    expect(large()).to.deep.equal([0, 0]);
    ledger.goOnWith(2);
    ledger.play(paid('o3'));
    ledger.settle();
    expect(large()).to.deep.equal([1, 1]);
    expect(ledger.problems()).to.deep.equal([]);
  });
});
