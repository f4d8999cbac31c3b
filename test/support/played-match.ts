import Database from 'better-sqlite3';
import type { OrderState } from '../../projections/order-state/index.ts';
import { USUAL_MATCH_SETTINGS } from '../../src/domain/match-settings.ts';
import { positionAt } from '../../src/domain/position.ts';
import type { StatementLine } from '../../src/domain/statement-line.ts';
import type { BankChange } from '../../src/read-models/bank-change.ts';
import { USUAL_STEPS } from '../../src/read-models/log-steps.ts';
import type { MatchChange } from '../../src/read-models/match-change.ts';
import type { MatchDue } from '../../src/read-models/match-questions.ts';
import type { ProjectionBatch } from '../../src/read-models/projection-batch.ts';
import { ProjectionStore } from '../../src/read-models/sqlite/projection-store.ts';
import { Queries } from '../../src/read-models/sqlite/queries.ts';
import { createIndexes, createTables } from '../../src/read-models/sqlite/schema.ts';
import { verifyMatch } from '../../src/read-models/sqlite/verify/verify-match.ts';
import type { ReadModelFailure } from '../../src/read-models/verification.ts';
import { day, utcCalendar } from '../projections/match/match-scene.ts';
import { batchOf, fileOf, linesOfFile, orderState } from './match-batches.ts';

export const NO_FILTER = { from: null, to: null, currency: null, flow: null, account: null };
export const TODAY = { today: day('2026-04-30'), dueDays: 2 };

/** Batches that come one behind the other, and the parts that are settled between them. */
export type MatchStep =
  | { readonly kind: 'order'; readonly state: OrderState }
  | { readonly kind: 'file'; readonly lines: readonly StatementLine[] }
  | { readonly kind: 'change'; readonly change: MatchChange }
  | { readonly kind: 'settle' };

/** The read models of one ledger, to which steps come. */
export class PlayedMatch {
  readonly queries: Queries;
  readonly database = new Database(':memory:');
  #store: ProjectionStore;
  readonly #seen = new Set<string>();
  #batches = 0;

  constructor(largeMembers: number) {
    createTables(this.database);
    createIndexes(this.database);
    this.#store = this.#opened(largeMembers);
    this.queries = new Queries(this.database, 'UTC');
  }

  /** What follows is played by another program, to which other items are large. */
  goOnWith(largeMembers: number): void {
    this.#store = this.#opened(largeMembers);
  }

  play(step: MatchStep): void {
    if (step.kind === 'settle') this.#store.settle();
    if (step.kind === 'order') {
      const isNew = !this.#seen.has(step.state.orderId);
      this.#seen.add(step.state.orderId);
      this.#apply({ orders: [{ state: step.state, otherUtrs: [], isNew }] });
    }
    if (step.kind === 'change') this.#apply({ match: [step.change] });
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
  problems(): readonly ReadModelFailure[] {
    return verifyMatch(this.database, utcCalendar, USUAL_MATCH_SETTINGS);
  }

  /** How often something is put into an item from now on. */
  countPlaced(): () => number {
    this.database.exec(`
      CREATE TEMP TABLE placed (n INTEGER);
      CREATE TEMP TRIGGER of_line AFTER UPDATE OF item ON match_evidence WHEN new.item IS NOT NULL
        BEGIN INSERT INTO placed VALUES (1); END;
      CREATE TEMP TRIGGER of_order AFTER INSERT ON match_placed BEGIN INSERT INTO placed VALUES (1); END`);
    return () => Number(this.database.prepare('SELECT count(*) FROM placed').pluck().get());
  }

  close(): void {
    this.database.close();
  }

  #opened(largeMembers: number): ProjectionStore {
    const parts = { most: 3, atOnce: 2, largeMembers };
    return new ProjectionStore(this.database, utcCalendar, USUAL_MATCH_SETTINGS, USUAL_STEPS, parts);
  }

  #apply(over: Partial<ProjectionBatch>): void {
    const at = this.#batches;
    this.#store.apply(at === 0 ? null : positionAt(at - 1), batchOf(at, over));
    this.#batches += 1;
  }
}

/** An order that is paid. */
export const paid = (id: string, utr: string | null = null): MatchStep => ({
  kind: 'order',
  state: orderState(id, 'PayoutSuccess', utr, 100),
});
