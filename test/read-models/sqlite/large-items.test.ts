import Database from 'better-sqlite3';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { matchAll } from '../../../projections/match/match-all.ts';
import { matchOrderOf } from '../../../projections/match/match-order.ts';
import type { OrderState } from '../../../projections/order-state/index.ts';
import { businessCalendar } from '../../../src/domain/business-day.ts';
import { USUAL_MATCH_SETTINGS } from '../../../src/domain/match-settings.ts';
import { positionAt } from '../../../src/domain/position.ts';
import type { StatementLine } from '../../../src/domain/statement-line.ts';
import type { BankChange } from '../../../src/read-models/bank-change.ts';
import { USUAL_STEPS } from '../../../src/read-models/log-steps.ts';
import type { MatchDue } from '../../../src/read-models/match-questions.ts';
import type { ProjectionBatch } from '../../../src/read-models/projection-batch.ts';
import { ProjectionStore } from '../../../src/read-models/sqlite/projection-store.ts';
import { Queries } from '../../../src/read-models/sqlite/queries.ts';
import { createIndexes, createTables } from '../../../src/read-models/sqlite/schema.ts';
import { verifyMatch } from '../../../src/read-models/sqlite/verify-match.ts';
import { day, decimal, utcCalendar } from '../../projections/match/match-scene.ts';
import { batchOf, fileOf, lineOf, linesOfFile, orderState } from '../../support/match-batches.ts';
import { runs } from '../../support/runs.ts';

const NO_FILTER = { from: null, to: null, currency: null, flow: null, account: null };
const ALL = { filter: NO_FILTER, state: null, rule: null, code: null, orderId: null, lineId: null };
const TODAY = { today: day('2026-04-30'), dueDays: 2 };

/** What an order that nothing was found for lacks. */
const OF_THE_DAY: ReadonlySet<string> = new Set(['timing', 'missing-at-bank']);

/** Batches that come one behind the other, and the parts that are settled between them. */
type Step =
  | { readonly kind: 'order'; readonly state: OrderState }
  | { readonly kind: 'file'; readonly lines: readonly StatementLine[] }
  | { readonly kind: 'settle' };

/** The read models of one ledger, to which steps come. */
class Played {
  readonly queries: Queries;
  readonly #database = new Database(':memory:');
  readonly #store: ProjectionStore;
  readonly #seen = new Set<string>();
  #batches = 0;

  constructor(largeMembers: number) {
    createTables(this.#database);
    createIndexes(this.#database);
    const parts = { most: 3, atOnce: 2, largeMembers };
    this.#store = new ProjectionStore(this.#database, utcCalendar, USUAL_MATCH_SETTINGS, USUAL_STEPS, parts);
    this.queries = new Queries(this.#database, 'UTC');
  }

  play(step: Step): void {
    if (step.kind === 'settle') this.#store.settle();
    if (step.kind === 'order') {
      const isNew = !this.#seen.has(step.state.orderId);
      this.#seen.add(step.state.orderId);
      this.#apply({ orders: [{ state: step.state, otherUtrs: [], isNew }] });
    }
    if (step.kind === 'file') {
      const lines = linesOfFile(`file ${this.#batches}`, step.lines);
      const brought: readonly BankChange[] = lines.map((line) => ({ _tag: 'Line', line }));
      this.#apply({ bank: [...brought, { _tag: 'Imported', statement: fileOf(lines, this.#batches) }] });
    }
  }

  settle(): void {
    while (this.#store.settle());
  }

  due(): MatchDue | null {
    return this.queries.matchSummary({ filter: NO_FILTER, day: TODAY }).due;
  }

  /** What `verify` finds. */
  problems(): readonly unknown[] {
    return verifyMatch(this.#database, utcCalendar, USUAL_MATCH_SETTINGS);
  }

  /** How often something is put into an item from now on. */
  countPlaced(): () => number {
    this.#database.exec(`
      CREATE TEMP TABLE placed (n INTEGER);
      CREATE TEMP TRIGGER of_line AFTER UPDATE OF item ON match_evidence WHEN new.item IS NOT NULL
        BEGIN INSERT INTO placed VALUES (1); END;
      CREATE TEMP TRIGGER of_order AFTER INSERT ON match_placed BEGIN INSERT INTO placed VALUES (1); END`);
    return () => Number(this.#database.prepare('SELECT count(*) FROM placed').pluck().get());
  }

  close(): void {
    this.#database.close();
  }

  #apply(over: Partial<ProjectionBatch>): void {
    const at = this.#batches;
    this.#store.apply(at === 0 ? null : positionAt(at - 1), batchOf(at, over));
    this.#batches += 1;
  }
}

const paid = (id: string, utr: string | null = null): Step => ({
  kind: 'order',
  state: orderState(id, 'PayoutSuccess', utr, 100),
});

/** Lines of which many are equal in all that the match looks at. */
const line = fc
  .tuple(fc.nat(30), fc.constantFrom<readonly string[]>([], [], [], [], ['U1'], ['T-o2'], ['x']))
  .map(([n, references]) => lineOf(`${n} ${references.join()}`, { amount: decimal('100'), references }));

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('o1', 'o2', 'o3', 'o4'),
        fc.constantFrom('PayoutSuccess', 'PayoutSuccess', 'fiatFailed', 'fiatDeemed'),
        fc.constantFrom(null, null, 'U1'),
      )
      .map(([id, status, utr]): Step => ({ kind: 'order', state: orderState(id, status, utr, 100) })),
  },
  {
    weight: 2,
    arbitrary: fc.array(line, { minLength: 1, maxLength: 9 }).map((lines): Step => ({ kind: 'file', lines })),
  },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'settle' }) },
);

describe('large items of the match', () => {
  let played: Played | null = null;

  const begun = (largeMembers: number): Played => {
    played?.close();
    played = new Played(largeMembers);
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
});
