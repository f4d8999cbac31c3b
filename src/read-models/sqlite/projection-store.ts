import type Database from 'better-sqlite3';
import type { Calendar } from '../../domain/business-day.ts';
import { branded } from '../../domain/brand.ts';
import type { Position } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import { CellSums, type CellSum } from '../cell-sums.ts';
import { OrderCounts } from '../order-counts.ts';
import { orderRow, orderShare } from '../order-row.ts';
import type { ProjectedOrder } from '../projected-order.ts';
import type { ProjectionBatch } from '../projection-batch.ts';
import type { Checkpoint } from '../read-models.ts';
import { readFacet } from '../stored-facet.ts';
import { AuditTable } from './audit-table.ts';
import { CellTable } from './cell-table.ts';
import { FacetTable } from './facet-table.ts';
import { OrderTable } from './order-table.ts';
import { QuarantineTable } from './quarantine-table.ts';
import { sqlite } from './tables.ts';
import { termOf } from './term.ts';
import { TermIndex } from './term-index.ts';

type CheckpointRow = { readonly position: string; readonly at: string };

/** The tables of one generation, and the only way to write them. */
export class ProjectionStore {
  readonly #database: Database.Database;
  readonly #calendar: Calendar;
  readonly #getCheckpoint: Database.Statement<[], CheckpointRow>;
  readonly #putCheckpoint: Database.Statement<[number, string, string, number]>;
  readonly #settled: Database.Statement<[string, number]>;
  readonly #facets: FacetTable;
  readonly #orders: OrderTable;
  readonly #cells: CellTable;
  readonly #audit: AuditTable;
  readonly #quarantine: QuarantineTable;
  readonly #orderTerms: TermIndex;
  readonly #auditTerms: TermIndex;

  constructor(database: Database.Database, calendar: Calendar) {
    this.#database = database;
    this.#calendar = calendar;
    this.#getCheckpoint = database.prepare(sqlite.selectFrom('checkpoint').select(['position', 'at']).compile().sql);
    this.#putCheckpoint = database.prepare(
      sqlite
        .insertInto('checkpoint')
        .values({ id: 1, position: '', at: '', events: 0 })
        .onConflict((it) =>
          it.column('id').doUpdateSet((set) => ({
            position: set.ref('excluded.position'),
            at: set.ref('excluded.at'),
            events: set('checkpoint.events', '+', set.ref('excluded.events')),
          })),
        )
        .compile().sql,
    );
    this.#settled = database.prepare(
      sqlite
        .insertInto('settled_days')
        .values({ day: '', orders: 0 })
        .onConflict((it) =>
          it
            .column('day')
            .doUpdateSet((set) => ({ orders: set('settled_days.orders', '+', set.ref('excluded.orders')) })),
        )
        .compile().sql,
    );
    this.#facets = new FacetTable(database);
    this.#orders = new OrderTable(database);
    this.#cells = new CellTable(database);
    this.#audit = new AuditTable(database);
    this.#quarantine = new QuarantineTable(database);
    this.#orderTerms = new TermIndex(database, 'order');
    this.#auditTerms = new TermIndex(database, 'audit');
  }

  /** The last event that is included; null: none is. */
  checkpoint(): Checkpoint | null {
    const row = this.#getCheckpoint.get();
    return row === undefined ? null : { position: branded<Position>(row.position), at: branded<Instant>(row.at) };
  }

  /**
   * Applies a batch and moves the checkpoint in one transaction, if the checkpoint is still where the batch begins.
   * `overtaken`: it is not, and nothing is changed; whoever moved it has included what this batch begins with.
   */
  apply(after: Position | null, batch: ProjectionBatch): 'applied' | 'overtaken' {
    try {
      return this.#database
        .transaction(() => {
          if ((this.checkpoint()?.position ?? null) !== after) return 'overtaken';
          this.#change(batch);
          return 'applied';
        })
        .immediate();
    } catch (error) {
      this.#facets.forget();
      throw error;
    }
  }

  #change({ checkpoint, events, orders, marks, quarantine }: ProjectionBatch): void {
    const sums = new CellSums();
    const counts = new OrderCounts();
    for (const order of orders) this.#changeOrder(order, sums, counts);
    for (const sum of sums.take()) this.#addSum(sum);
    for (const [key, change] of counts.facets) this.#facets.count(this.#facets.idOfKey(key), change);
    for (const [day, change] of counts.settledDays) this.#settled.run(day, change);
    this.#audit.add(marks);
    for (const { position, terms } of marks) {
      for (const term of terms) this.#auditTerms.add(termOf(term), Number(position), Number(position));
    }
    for (const change of quarantine) this.#quarantine.apply(change);
    this.#putCheckpoint.run(1, checkpoint.position, checkpoint.at, events);
  }

  #addSum(sum: CellSum): void {
    const facet = readFacet(sum.facetKey);
    if (facet !== null) this.#cells.add(sum, facet.flow, this.#facets.idOfKey(sum.facetKey));
  }

  /** Takes out what the order was, and puts in what it is. */
  #changeOrder(order: ProjectedOrder, sums: CellSums, counts: OrderCounts): void {
    const row = orderRow(order, this.#calendar);
    const facet = this.#facets.idOfKey(row.facetKey);
    const there = this.#orders.get(row.orderId);
    const before = there === null ? null : orderShare(there.order, this.#calendar);
    if (before !== null) {
      sums.remove(before.facetKey, before.cells);
      counts.remove(before);
    }
    sums.add(row.facetKey, row.cells);
    counts.add(row);
    if (there === null) this.#addTerms(row.terms, row.termRank, this.#orders.insert(row, facet));
    else {
      this.#orders.update(there.no, row, facet);
      const isNew = before === null || before.termRank !== row.termRank;
      const added = isNew ? row.terms : row.terms.filter((term) => !before.terms.includes(term));
      this.#addTerms(added, row.termRank, there.no);
    }
  }

  #addTerms(terms: readonly string[], rank: number, no: number): void {
    for (const term of terms) this.#orderTerms.add(termOf(term), rank, no);
  }
}
