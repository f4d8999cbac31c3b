import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { BREAK_CODES, type BreakCode } from '../../../projections/match/break.ts';
import { matchAll } from '../../../projections/match/match-all.ts';
import { isUnmatched, OPEN_STATES } from '../../../projections/match/match-item.ts';
import { matchOrderOf } from '../../../projections/match/match-order.ts';
import { MATCH_RULES } from '../../../projections/match/rule.ts';
import type { OrderState } from '../../../projections/order-state/index.ts';
import { businessCalendar } from '../../../src/domain/business-day.ts';
import type { Flow } from '../../../src/domain/flow.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { USUAL_MATCH_SETTINGS } from '../../../src/domain/match-settings.ts';
import { positionAt } from '../../../src/domain/position.ts';
import { sha256 } from '../../../src/domain/sha256.ts';
import type { StatementLine } from '../../../src/domain/statement-line.ts';
import { USUAL_STEPS } from '../../../src/read-models/log-steps.ts';
import type { BankChange } from '../../../src/read-models/bank-change.ts';
import type { MatchChange } from '../../../src/read-models/match-change.ts';
import {
  ASKED_STATES,
  type AskedState,
  type MatchItemsQuestion,
  type ShownItem,
} from '../../../src/read-models/match-questions.ts';
import { verifyMatch } from '../../../src/read-models/sqlite/verify-match.ts';
import { createIndexes, createTables } from '../../../src/read-models/sqlite/schema.ts';
import { ProjectionStore } from '../../../src/read-models/sqlite/projection-store.ts';
import { Queries } from '../../../src/read-models/sqlite/queries.ts';
import { decimal, day, utcCalendar } from '../../projections/match/match-scene.ts';
import { batchOf, fileOf, lineOf, linesOfFile, orderState } from '../../support/match-batches.ts';
import { runs } from '../../support/runs.ts';

type Step =
  | { readonly kind: 'order'; readonly state: OrderState }
  | { readonly kind: 'change'; readonly change: MatchChange }
  /** Brought by a file of its own. */
  | { readonly kind: 'line'; readonly line: StatementLine };

const order: fc.Arbitrary<Step> = fc
  .tuple(
    fc.constantFrom('o1', 'o2', 'o3'),
    fc.constantFrom('PayoutSuccess', 'fiatFailed', 'fiatDeemed'),
    fc.constantFrom('U1', 'U-2', null),
    fc.constantFrom(100, 60),
  )
  .map(([id, status, utr, fiat]) => ({ kind: 'order', state: orderState(id, status, utr, fiat) }));

const line: fc.Arbitrary<Step> = fc
  .record({
    references: fc.constantFrom([], ['U1'], ['o2'], ['T-o3'], ['x']),
    text: fc.constantFrom('', 'NEFT U-2 X'),
    amount: fc.constantFrom('100', '60.00').map(decimal),
  })
  // Two files that have a line may differ in which references are the bank's own.
  .chain((over) => fc.tuple(fc.constant(over), fc.constantFrom(undefined, over.references)))
  .map(([over, ownReferences]) => ({
    kind: 'line',
    line: lineOf(JSON.stringify(over), ownReferences === undefined ? over : { ...over, ownReferences }),
  }));

/** A file of one line, which speaks of no days. */
const fileWith = (line: StatementLine, at: number): readonly BankChange[] => {
  const lines = linesOfFile(`file ${at}`, [line]);
  return [
    ...lines.map((it): BankChange => ({ _tag: 'Line', line: it })),
    { _tag: 'Imported', statement: { ...fileOf(lines, at), accounts: [] } },
  ];
};

/** A ledger's read models, with one batch for each step. */
const played = (steps: readonly Step[], database: Database.Database): Queries => {
  createTables(database);
  createIndexes(database);
  const store = new ProjectionStore(database, utcCalendar);
  const seen = new Set<string>();
  for (const [i, step] of steps.entries()) {
    const after = i === 0 ? null : positionAt(i - 1);
    const isNew = step.kind === 'order' && !seen.has(step.state.orderId);
    if (step.kind === 'order') seen.add(step.state.orderId);
    store.apply(after, {
      checkpoint: { position: positionAt(i), at: instantOf(i) },
      events: 1,
      orders: step.kind === 'order' ? [{ state: step.state, otherUtrs: [], isNew }] : [],
      marks: [],
      quarantine: [],
      match: step.kind === 'change' ? [step.change] : [],
      bank: step.kind === 'line' ? fileWith(step.line, i) : [],
      unreadable: [],
    });
  }
  return new Queries(database, 'UTC');
};

const NO_FILTER = { from: null, to: null, currency: null, flow: null, account: null };
const ALL = { filter: NO_FILTER, state: null, rule: null, code: null, orderId: null, lineId: null };
const TODAY = { today: day('2026-04-30'), dueDays: 2 };

/** Every item that a question asks for, page by page. */
const allItems = (queries: Queries, limit: number, over: Partial<MatchItemsQuestion> = {}): readonly ShownItem[] => {
  const question = { ...ALL, day: TODAY, limit, ...over };
  const items: ShownItem[] = [];
  let page = queries.matchItems({ ...question, after: null });
  for (;;) {
    items.push(...page.data);
    if (page.next === null) return items;
    page = queries.matchItems({ ...question, after: page.next });
  }
};

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
            lines: steps.flatMap((step) => (step.kind === 'line' ? [step.line] : [])),
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
          }
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it('takes in a large file part by part, killed or out of disk at any of them or not, beside what comes meanwhile, and misses no order before all of it is there', () => {
    const many = 7;
    const lines = linesOfFile(
      'large',
      Array.from({ length: many }, (_, index) => lineOf(`l${index}`, { references: [`U${index}`] })),
    );
    const statement = fileOf(lines, 1);
    const ordered = (id: string, utr: string) => ({
      orders: [{ state: orderState(id, 'PayoutSuccess', utr, 100), otherUtrs: [], isNew: true }],
    });
    const today = { ...TODAY, today: day('2026-03-11') };
    const items = (most: number, fault: 'none' | 'kill' | 'full disk' = 'none'): readonly (readonly unknown[])[] => {
      database.close();
      database = new Database(':memory:');
      createTables(database);
      createIndexes(database);
      const opened = () =>
        new ProjectionStore(database, utcCalendar, USUAL_MATCH_SETTINGS, USUAL_STEPS, { most, atOnce: 2 });
      let store = opened();
      /** Of a store that was killed nothing is left but what is in the database; one that had no room goes on. */
      const faulty = (): void => {
        if (fault === 'kill') store = opened();
        if (fault !== 'full disk') return;
        for (const table of ['match_due', 'match_items']) {
          database.exec(`
            CREATE TEMP TRIGGER no_room_for_more BEFORE UPDATE ON ${table} BEGIN SELECT RAISE(ABORT, 'full'); END;
            CREATE TEMP TRIGGER no_room BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'full'); END`);
          if (due() !== null && due() !== 1) expect(() => store.settle()).to.throw('full');
          database.exec('DROP TRIGGER no_room; DROP TRIGGER no_room_for_more');
        }
      };
      const queries = new Queries(database, 'UTC');
      const due = (): number | null => queries.matchSummary({ filter: NO_FILTER, day: today }).due?.lines ?? null;
      const stateOf = (orderId: string) =>
        queries.matchItems({ ...ALL, day: today, after: null, limit: 9, orderId }).data[0]?.state;
      store.apply(null, batchOf(0, { ...ordered('o1', 'U1'), bank: lines.map((line) => ({ _tag: 'Line', line })) }));
      store.apply(positionAt(0), batchOf(1, { bank: [{ _tag: 'Imported', statement }] }));
      faulty();
      store.apply(positionAt(1), batchOf(2, ordered('missed', 'U99')));
      if (most < many) {
        expect([due(), stateOf('o1'), stateOf('missed')]).to.deep.equal([many, 'expected', 'expected']);
        expect(verifyMatch(database, utcCalendar, USUAL_MATCH_SETTINGS)).to.deep.equal([]);
        faulty();
        expect(store.settle()).to.equal(true);
        faulty();
        expect(verifyMatch(database, utcCalendar, USUAL_MATCH_SETTINGS)).to.deep.equal([]);
        expect([due(), stateOf('o1')]).to.deep.equal([many - 2, 'matched']);
      }
      store.apply(positionAt(2), batchOf(3, ordered('o5', 'U5')));
      store.apply(positionAt(3), batchOf(4, ordered('o0', 'U0')));
      while (store.settle()) {
        expect(due()).not.to.equal(0);
        expect(verifyMatch(database, utcCalendar, USUAL_MATCH_SETTINGS)).to.deep.equal([]);
        faulty();
      }
      store.apply(positionAt(4), batchOf(5, ordered('o6', 'U6')));
      expect(['o0', 'o1', 'o5', 'o6'].map(stateOf)).to.deep.equal(['matched', 'matched', 'matched', 'matched']);
      expect([due(), stateOf('missed')]).to.deep.equal([null, 'unmatched-order']);
      expect(verifyMatch(database, utcCalendar, USUAL_MATCH_SETTINGS)).to.deep.equal([]);
      return allItems(queries, 3).map(({ itemId, state, members }) => [itemId, state, members]);
    };
    expect(items(3)).to.deep.equal(items(many));
    expect(items(3, 'kill')).to.deep.equal(items(many));
    expect(items(3, 'full disk')).to.deep.equal(items(many));
  });

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

  it('is verified with lines of which two files say other things, also while the larger of them comes in', () => {
    const line = lineOf('l', { references: ['B1'] });
    const filler = Array.from({ length: 4 }, (_, i) => lineOf(`x${i}`, { amount: decimal('7') }));
    const noted = { ...line, ownReferences: ['B1'] };
    const verified = () => verifyMatch(database, utcCalendar, USUAL_MATCH_SETTINGS);
    for (const [large, small] of [
      [noted, line],
      [line, noted],
    ] as const) {
      database.close();
      database = new Database(':memory:');
      createTables(database);
      createIndexes(database);
      const store = new ProjectionStore(database, utcCalendar, USUAL_MATCH_SETTINGS, USUAL_STEPS, {
        most: 3,
        atOnce: 2,
      });
      const files = [linesOfFile('large', [...filler, large]), linesOfFile('small', [small])];
      for (const [i, lines] of files.entries()) {
        const bank = [
          ...lines.map((it) => ({ _tag: 'Line' as const, line: it })),
          { _tag: 'Imported' as const, statement: fileOf(lines, i) },
        ];
        store.apply(i === 0 ? null : positionAt(i - 1), batchOf(i, { bank }));
        expect(verified()).to.deep.equal([]);
      }
      while (store.settle()) expect(verified()).to.deep.equal([]);
      expect(verified()).to.deep.equal([]);
      // Imported first, whichever comes into the match first.
      const shown = new Queries(database, 'UTC').matchItems({
        ...ALL,
        day: TODAY,
        after: null,
        limit: 1,
        lineId: line.lineId,
      });
      const from = shown.data.flatMap((item) => item.lines.map((it) => [it.statementId, it.index]));
      expect(from).to.deep.equal([[sha256('large'), filler.length]]);
      database.exec(`UPDATE match_evidence SET own = '["B1"]'`);
      expect(verified().map(({ problem }) => problem)).to.include('read-model-match-differs');
    }
  });

  it('finds the item of an order and of a line, and by state, rule and break', () => {
    const [paid, awaited] = [orderState('o1', 'PayoutSuccess', 'U1', 100), orderState('o2', 'PayoutSuccess', 'U9', 60)];
    const booked = lineOf('l', { references: ['U1'], amount: decimal('99') });
    const queries = played(
      [
        { kind: 'order', state: paid },
        { kind: 'order', state: awaited },
        { kind: 'line', line: booked },
      ],
      database,
    );
    const shown = (over: object): readonly string[] =>
      queries
        .matchItems({ ...ALL, day: TODAY, after: null, limit: 10, ...over })
        .data.map(({ orders, state }) => `${orders.map((it) => it.orderId).join()} ${state}`);
    expect(shown({ orderId: 'o1' })).to.deep.equal(['o1 break']);
    expect(shown({ lineId: booked.lineId })).to.deep.equal(['o1 break']);
    expect(shown({ orderId: 'o2' })).to.deep.equal(['o2 unmatched-order']);
    expect(shown({ state: 'unmatched-order' })).to.deep.equal(['o2 unmatched-order']);
    expect(shown({ rule: 'utr' })).to.deep.equal(['o1 break']);
    expect(shown({ code: 'amount-under' })).to.deep.equal(['o1 break']);
    expect(shown({ code: 'missing-at-bank' })).to.deep.equal(['o2 unmatched-order']);
    expect(shown({ filter: { ...NO_FILTER, account: 'ACC-1' } })).to.deep.equal(['o1 break']);
    expect(shown({ filter: { ...NO_FILTER, to: day('2026-03-09') } })).to.deep.equal([]);
    expect(shown({ day: { ...TODAY, today: day('2026-03-11') }, state: 'expected' })).to.deep.equal(['o2 expected']);
  });

  it('reads no more of each kind of an item than is asked for, and names all of it', () => {
    const lines = Array.from({ length: 4 }, (_, i) => lineOf(`l${i}`, { references: ['U1'], amount: decimal('25') }));
    const queries = played(
      [
        { kind: 'order', state: orderState('o1', 'PayoutSuccess', 'U1', 100) },
        { kind: 'order', state: orderState('o2', 'PayoutSuccess', 'U1', 100) },
        ...lines.map((booked): Step => ({ kind: 'line', line: booked })),
      ],
      database,
    );
    const one = { ...ALL, day: TODAY, after: null, limit: 10 };
    for (const named of [{ orderId: 'o1' }, { orderId: 'o2' }, ...lines.map(({ lineId }) => ({ lineId }))]) {
      const [found, ...others] = queries.matchItems({ ...one, ...named, mostOfEach: 1 }).data;
      expect([found?.orders.length, found?.lines.length, found?.members.length, others.length]).to.deep.equal([
        1, 1, 6, 0,
      ]);
      const names = [...(found?.orders ?? []).map((it) => it.orderId), ...(found?.lines ?? []).map((it) => it.lineId)];
      expect(names).to.include(Object.values(named)[0]);
      const whole = queries.matchItems({ ...one, ...named }).data;
      expect(whole.map((it) => [it.orders.length, it.lines.length, it.members.length])).to.deep.equal([[2, 4, 6]]);
    }
    for (const named of [{ orderId: 'o1' }, ...lines.map(({ lineId }) => ({ lineId }))]) {
      const lineIds = (skipOfEach: number) =>
        queries
          .matchItems({ ...one, ...named, mostOfEach: 3, skipOfEach })
          .data.flatMap((it) => it.lines.map(({ lineId }) => lineId));
      expect([lineIds(0).length, lineIds(3).length, lineIds(6).length]).to.deep.equal([3, 1, 0]);
      expect([...lineIds(0), ...lineIds(3)]).to.have.members(lines.map(({ lineId }) => lineId));
    }
  });

  it('ends a page early that has much, and goes on behind it', () => {
    const steps = Array.from({ length: 6 }, (_, i): readonly Step[] => [
      { kind: 'order', state: orderState(`o${i}`, 'PayoutSuccess', `U${i}`, 100) },
      { kind: 'line', line: lineOf(`l${i}`, { references: [`U${i}`] }) },
    ]).flat();
    const queries = played(steps, database);
    const page = queries.matchItems({ ...ALL, day: TODAY, after: null, limit: 10, mostOfEach: 1 });
    // Ten times one: five orders and their lines.
    expect([page.data.length, page.next === null]).to.deep.equal([5, false]);
    const [whole, parted] = [allItems(queries, 10), allItems(queries, 10, { mostOfEach: 1 })];
    expect(whole).to.have.length(6);
    expect(parted).to.deep.equal(whole);
  });
});
