import { branded } from '../../../src/domain/brand.ts';
import type { EventId } from '../../../src/domain/ids.ts';
import type Database from 'better-sqlite3';
import * as fc from 'fast-check';
import type { OrderState } from '../../../projections/order-state/index.ts';
import { instantOf } from '../../../src/domain/instant.ts';
import { positionAt } from '../../../src/domain/position.ts';
import type { StatementLine } from '../../../src/domain/statement-line.ts';
import type { BankChange } from '../../../src/read-models/bank-change.ts';
import type { MatchChange } from '../../../src/read-models/match-change.ts';
import type { MatchItemsQuestion, ShownItem } from '../../../src/read-models/match-questions.ts';
import { createIndexes, createTables } from '../../../src/read-models/sqlite/schema.ts';
import { ProjectionStore } from '../../../src/read-models/sqlite/projection-store.ts';
import { Queries } from '../../../src/read-models/sqlite/queries.ts';
import { decimal, day, utcCalendar } from '../../projections/match/match-scene.ts';
import { fileOf, lineOf, linesOfFile, orderState } from '../../support/match-batches.ts';

/** What a ledger hears of, one batch each. */
export type Step =
  | { readonly kind: 'order'; readonly state: OrderState }
  | { readonly kind: 'change'; readonly change: MatchChange }
  /** Brought by a file of its own. */
  | { readonly kind: 'line'; readonly line: StatementLine };

/** An order in one of few states, under one of few names. */
export const order: fc.Arbitrary<Step> = fc
  .tuple(
    fc.constantFrom('o1', 'o2', 'o3'),
    fc.constantFrom('PayoutSuccess', 'fiatFailed', 'fiatDeemed'),
    fc.constantFrom('U1', 'U-2', null),
    fc.constantFrom(100, 60),
  )
  .map(([id, status, utr, fiat]) => ({ kind: 'order', state: orderState(id, status, utr, fiat) }));

/** An entry of MT940 whose text was wrapped between two utrs. */
const WRAPPED = ':61:2603100310D100,NTRFNONREF\n:86:BATCH U1\nU-2';

/** A line that may be of one of these orders. */
export const line: fc.Arbitrary<Step> = fc
  .record({
    references: fc.constantFrom([], ['U1'], ['o2'], ['T-o3'], ['x']),
    text: fc.constantFrom('', 'NEFT U-2 X'),
    amount: fc.constantFrom('100', '60.00').map(decimal),
    raw: fc.constantFrom('', WRAPPED),
  })
  // Two files that have a line may differ in which references are the bank's own.
  .chain((over) => fc.tuple(fc.constant(over), fc.constantFrom(undefined, over.references)))
  .map(([over, ownReferences]) => ({
    kind: 'line',
    line: {
      ...lineOf(JSON.stringify(over), ownReferences === undefined ? over : { ...over, ownReferences }),
      raw: over.raw,
    },
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
export const played = (steps: readonly Step[], database: Database.Database): Queries => {
  createTables(database);
  createIndexes(database);
  const store = new ProjectionStore(database, utcCalendar);
  const seen = new Set<string>();
  for (const [i, step] of steps.entries()) {
    const after = i === 0 ? null : positionAt(i - 1);
    const isNew = step.kind === 'order' && !seen.has(step.state.orderId);
    if (step.kind === 'order') seen.add(step.state.orderId);
    store.apply(after, {
      checkpoint: { position: positionAt(i), at: instantOf(i), eventId: branded<EventId>(`e${i}`) },
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

export const NO_FILTER = { from: null, to: null, currency: null, flow: null, account: null };
export const ALL = { filter: NO_FILTER, state: null, rule: null, code: null, orderId: null, lineId: null };
export const TODAY = { today: day('2026-04-30'), dueDays: 2 };

/** Every item that a question asks for, page by page. */
export const allItems = (
  queries: Queries,
  limit: number,
  over: Partial<MatchItemsQuestion> = {},
): readonly ShownItem[] => {
  const question = { ...ALL, day: TODAY, limit, ...over };
  const items: ShownItem[] = [];
  let page = queries.matchItems({ ...question, after: null });
  for (;;) {
    items.push(...page.data);
    if (page.next === null) return items;
    page = queries.matchItems({ ...question, after: page.next });
  }
};
