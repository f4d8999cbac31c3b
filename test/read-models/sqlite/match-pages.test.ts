import Database from 'better-sqlite3';
import { expect } from 'chai';
import { decimal, day } from '../../projections/match/match-scene.ts';
import type { MatchPage, MatchPlace } from '../../../src/read-models/match-questions.ts';
import { PAGE_BYTES } from '../../../src/read-models/page-bytes.ts';
import { lineOf, orderState } from '../../support/match-batches.ts';
import { ALL, allItems, NO_FILTER, played, type Step, TODAY } from './match-steps.ts';

describe('pages of the match', () => {
  let database: Database.Database;

  beforeEach(() => {
    database = new Database(':memory:');
  });
  afterEach(() => database.close());

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

  it('ends a page before its lines come to more than 2 MiB, and goes on behind it', () => {
    const texts = Array.from({ length: 60 }, (_, i) => 'x'.repeat(i < 50 ? 60_000 : 10));
    const queries = played(
      texts.map((text, i): Step => ({ kind: 'line', line: lineOf(`l${i}`, { text, amount: decimal(`${i + 1}`) }) })),
      database,
    );
    const sizes: number[] = [];
    const ids: string[] = [];
    for (let after: MatchPlace | null = null, more = true; more; more = after !== null) {
      const { data, next }: MatchPage = queries.matchItems({ ...ALL, day: TODAY, after, limit: 500 });
      const characters = data.flatMap(({ lines }) => lines.map(({ text }) => text.length)).reduce((a, b) => a + b, 0);
      expect(characters).to.be.within(1, PAGE_BYTES);
      sizes.push(data.length);
      ids.push(...data.map(({ itemId }) => itemId));
      after = next;
    }
    expect([new Set(ids).size, ids.length]).to.deep.equal([60, 60]);
    expect(sizes.length).to.equal(2);
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

  it('goes on behind a page, also where the orders were numbered anew meanwhile', () => {
    const orders = Array.from({ length: 7 }, (_, i): Step => {
      return { kind: 'order', state: orderState(`o${i}`, 'PayoutSuccess', `U${i}`, 100) };
    });
    const before = played(orders, database);
    const other = new Database(':memory:');
    try {
      const failed: Step = { kind: 'order', state: orderState('nothing-due', 'fiatFailed', 'U', 100) };
      const rebuilt = played([failed, ...orders], other);
      const seen: string[] = [];
      let after = null;
      for (const queries of [before, rebuilt, before, rebuilt, rebuilt]) {
        const page: ReturnType<typeof before.matchItems> = queries.matchItems({ ...ALL, day: TODAY, after, limit: 2 });
        seen.push(...page.data.flatMap((it) => it.orders.map(({ orderId }) => orderId)));
        after = page.next;
        if (after === null) break;
      }
      expect(seen).to.deep.equal(orders.map((_, i) => `o${i}`));
    } finally {
      other.close();
    }
  });
});
