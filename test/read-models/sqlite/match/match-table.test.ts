import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { BREAK_CODES, type BreakCode } from '../../../../projections/match/break.ts';
import { matchAll } from '../../../../projections/match/match-all.ts';
import { isUnmatched, OPEN_STATES } from '../../../../projections/match/match-item.ts';
import { matchOrderOf } from '../../../../projections/match/match-order.ts';
import { MATCH_RULES } from '../../../../projections/match/rule.ts';
import { businessCalendar } from '../../../../src/domain/business-day.ts';
import type { Flow } from '../../../../src/domain/flow.ts';
import { USUAL_MATCH_SETTINGS } from '../../../../src/domain/match-settings.ts';
import { sha256 } from '../../../../src/domain/sha256.ts';
import { ASKED_STATES, type AskedState } from '../../../../src/read-models/match-questions.ts';
import { wrappedLine } from '../../../../src/read-models/wrapped-line.ts';
import { decimal, day, utcCalendar } from '../../../projections/match/match-scene.ts';
import { lineOf, orderState } from '../../../support/match-batches.ts';
import { runs } from '../../../support/runs.ts';
import { allItems, line, NO_FILTER, order, played, type Step, TODAY } from '../match-steps.ts';

describe('the match in read models', () => {
  let database: Database.Database;

  beforeEach(() => {
    database = new Database(':memory:');
  });
  afterEach(() => database.close());

  it('holds the items that all orders and lines make, however they came, and counts them', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(order, line), { minLength: 1, maxLength: 10 }), (steps) => {
        database.close();
        database = new Database(':memory:');
        const queries = played(steps, database);
        const orders = new Map(
          steps.flatMap((step) => (step.kind === 'order' ? [[step.state.orderId, step.state] as const] : [])),
        );
        const expected = matchAll(
          {
            orders: [...orders.values()].map((state) => matchOrderOf(state, businessCalendar('UTC'))),
            lines: steps.flatMap((step) => (step.kind === 'line' ? [wrappedLine(step.line)] : [])),
            transfers: [],
            decisions: [],
          },
          USUAL_MATCH_SETTINGS,
          utcCalendar,
        );
        const found = allItems(queries, 2);
        expect(found.map(({ itemId }) => itemId).toSorted()).to.deep.equal(expected.map(({ itemId }) => itemId));
        const byDay = found.map((item) => item.day);
        expect(byDay).to.deep.equal(byDay.toSorted());
        const counted = queries.matchSummary({ filter: NO_FILTER, day: TODAY }).rows;
        const count = (state: string): number => found.filter((item) => item.state === state).length;
        for (const { state, items } of counted) expect(items).to.equal(count(state), state);
        expect(counted.reduce((sum, { items }) => sum + items, 0)).to.equal(found.length);
      }),
      { numRuns: runs(60) },
    );
  });

  it('lists an order that nothing was found for by its state and its break, on each day until it is missed', () => {
    const steps: readonly Step[] = [{ kind: 'order', state: orderState('o1', 'PayoutSuccess', 'U1', 100) }];
    const queries = played(steps, database);
    const seen = new Set<string>();
    for (const today of ['2026-03-10', '2026-03-11', '2026-03-12', '2026-04-30'].map(day)) {
      const on = { today, dueDays: 2 };
      const [item] = allItems(queries, 50, { day: on });
      const breaks = item?.breaks.map(({ code }) => code) ?? [];
      seen.add(`${item?.state} ${breaks.join()}`);
      for (const state of [null, 'expected', 'unmatched-order', 'open'] as const) {
        for (const code of [null, 'timing', 'missing-at-bank', 'amount-over'] as const) {
          const isOf = state === null || state === item?.state || (state === 'open' && item?.state !== 'expected');
          const has = code === null || breaks.includes(code);
          const found = allItems(queries, 2, { state, code, day: on });
          expect(found, `${state} ${code} ${today}`).to.deep.equal(isOf && has ? [item] : []);
        }
      }
    }
    expect([...seen]).to.deep.equal(['expected timing', 'unmatched-order missing-at-bank']);
  });

  it('lists by any state, break, rule and filter, on any day, what all items have that is of it', () => {
    const covered: fc.Arbitrary<Step> = fc.constantFrom('2026-03-10', '2026-03-11').map((last) => ({
      kind: 'change',
      change: { _tag: 'Covered', statementId: sha256(last), currency: 'INR', from: day('2026-03-10'), to: day(last) },
    }));
    // Few filters at a time, so that mostly something is found.
    const seldom = <A>(...values: readonly A[]): fc.Arbitrary<A | null> =>
      fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.constantFrom(...values) });
    const asked = fc.record({
      state: fc.option(fc.constantFrom<AskedState>('open', 'expected', 'unmatched', ...ASKED_STATES), { freq: 1 }),
      // Most breaks are of orders alone, which have two.
      code: fc.option(
        fc.constantFrom<BreakCode>('timing', 'timing', 'missing-at-bank', 'missing-at-bank', ...BREAK_CODES),
        { freq: 1 },
      ),
      rule: seldom(...MATCH_RULES),
      currency: seldom('INR', 'EUR'),
      flow: seldom<Flow>('onramp', 'offramp'),
      account: seldom('ACC-1', 'ACC-2'),
      from: seldom('2026-03-10', '2026-03-11', '2026-03-12'),
      today: fc.constantFrom('2026-03-10', '2026-03-11', '2026-03-12', '2026-03-13', '2026-04-30').map(day),
      dueDays: fc.constantFrom(0, 1, 2),
    });
    fc.assert(
      fc.property(
        fc.array(fc.oneof(order, line, covered), { minLength: 1, maxLength: 8 }),
        fc.array(asked, { minLength: 8, maxLength: 12 }),
        (steps, questions) => {
          database.close();
          database = new Database(':memory:');
          const queries = played(steps, database);
          for (const { state, code, rule, currency, flow, account, from, today, dueDays } of questions) {
            const on = { today, dueDays };
            const filter = { currency, flow, account, from: from === null ? null : day(from), to: null };
            const expected = allItems(queries, 50, { day: on }).filter(
              (item) =>
                (state === null ||
                  (state === 'open' && OPEN_STATES.has(item.state)) ||
                  (state === 'unmatched' && isUnmatched(item.state, item.flow)) ||
                  state === item.state) &&
                (code === null || item.breaks.some((it) => it.code === code)) &&
                (rule === null || item.rule === rule) &&
                (currency === null || item.currency === currency) &&
                (flow === null || item.flow === flow) &&
                (account === null || item.accounts.some((it) => it === account)) &&
                (from === null || item.day >= from),
            );
            const found = allItems(queries, 2, { state, code, rule, filter, day: on });
            expect(found).to.deep.equal(expected);
            const { rows } = queries.matchSummary({ filter, day: on });
            expect(queries.matchSummary({ filter, day: on, onlyOpen: true }).rows, 'what is open').to.deep.equal(
              rows.filter((row) => OPEN_STATES.has(row.state)),
            );
          }
        },
      ),
      { numRuns: runs(100) },
    );
  }).timeout(90_000);

  it("holds the bank's own references to be its own only where every file says so, whichever came first", () => {
    const own = { amount: decimal('100'), references: ['B1', 'B2'], ownReferences: ['B1', 'B2'] };
    const { ownReferences: _own, ...unnoted } = own;
    const notes = [own, { ...own, ownReferences: ['B1'] }, unnoted];
    const steps = notes.map((over): Step => ({ kind: 'line', line: lineOf('l', over) }));
    const paid: Step = { kind: 'order', state: orderState('o1', 'PayoutSuccess', null, 100) };
    const stateAfter = (played_: readonly Step[]): readonly string[] => {
      database.close();
      database = new Database(':memory:');
      return allItems(played(played_, database), 5).map(({ state }) => state);
    };
    const [all = paid, some = paid, none = paid] = steps;
    expect(stateAfter([paid, all, all])).to.deep.equal(['matched']);
    const open = ['unmatched-order', 'unmatched-line'];
    for (const mixed of [
      [paid, all, some],
      [paid, some, all],
      [paid, all, none],
      [none, all, paid],
      [all, paid, none],
    ])
      expect(stateAfter(mixed)).to.have.members(open);
  });
});
