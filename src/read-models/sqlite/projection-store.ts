import type Database from 'better-sqlite3';
import { matchOrderOf } from '../../../projections/match/match-order.ts';
import { orderNode, type NodeName } from '../../../projections/match/node.ts';
import { branded } from '../../domain/brand.ts';
import type { Calendar } from '../../domain/business-day.ts';
import type { Position } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import { USUAL_MATCH_SETTINGS } from '../../domain/match-settings.ts';
import { positionNumber } from '../../domain/position.ts';
import type { StatementId } from '../../domain/statement-line.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import type { BankChange } from '../bank-change.ts';
import { CellSums, type CellSum } from '../cell-sums.ts';
import { USUAL_STEPS } from '../log-steps.ts';
import type { MatchChange } from '../match-change.ts';
import { OrderCounts } from '../order-counts.ts';
import { orderRow, orderShare } from '../order-row.ts';
import type { BatchOrder, ProjectionBatch } from '../projection-batch.ts';
import type { Checkpoint, Included } from '../read-models.ts';
import { generationStatements } from '../statements/generation-statements.ts';
import { evidenceStatements } from '../statements/match-statements.ts';
import { settledDayStatements } from '../statements/settled-day-statements.ts';
import { readFacet } from '../stored-facet.ts';
import { AuditTable } from './audit-table.ts';
import { coverOf, linesBehind, matchChangesOf } from './match/bank-match.ts';
import { BankTables } from './match/bank-tables.ts';
import { MatchEvidence } from './match/match-evidence.ts';
import { orderRef, type AddTerm } from './match/match-refs.ts';
import { MatchTable } from './match/match-table.ts';
import { OrderNumbers } from './orders/order-numbers.ts';
import { OrderTable, storedOrder } from './orders/order-table.ts';
import { QuarantineTable } from './quarantine-table.ts';
import { CellTable } from './reports/cell-table.ts';
import { FacetTable } from './reports/facet-table.ts';
import { StepTable } from './reports/step-table.ts';
import { ShareMemory, type KeptShare } from './share-memory.ts';
import { includedIn } from './included-event.ts';
import { GatheredTerms } from './terms/gathered-terms.ts';
import { termOf } from './terms/term.ts';

/** An order's number, and what it adds as it is stored. */
type StoredShare = { readonly no: number; readonly facetKey: string; readonly share: Omit<KeptShare, 'facet'> };

/** How the lines of files come into the match. */
type FileParts = {
  /** A file of so many comes in at once. */
  readonly most: number;
  /** Lines of one part of a larger one. */
  readonly atOnce: number;
  /** What may belong to an item of more members waits; left out: as many as the match has chosen. */
  readonly largeMembers?: number;
};

const FILE_PARTS: FileParts = { most: 2_000, atOnce: 400 };

/** The tables of one generation, and the only way to write them. */
export class ProjectionStore {
  readonly #database: Database.Database;
  readonly #calendar: Calendar;
  readonly #sql: SqliteStatements;
  readonly #facets: FacetTable;
  /** What orders add, as of the checkpoint that this store has written last. */
  readonly #shares = new ShareMemory();
  /** That checkpoint; null: none is known. */
  #written: Position | null = null;
  readonly #orders: OrderTable;
  readonly #cells: CellTable;
  readonly #steps: StepTable;
  readonly #audit: AuditTable;
  readonly #quarantine: QuarantineTable;
  readonly #bank: BankTables;
  readonly #numbers: OrderNumbers;
  readonly #terms: GatheredTerms;
  readonly #match: MatchTable;
  readonly #addMatchTerm: AddTerm = (term, ref) => this.#terms.add('match', term, ref, ref);

  readonly #parts: FileParts;

  constructor(
    database: Database.Database,
    calendar: Calendar,
    settings = USUAL_MATCH_SETTINGS,
    steps = USUAL_STEPS,
    parts: FileParts = FILE_PARTS,
  ) {
    this.#parts = parts;
    this.#database = database;
    this.#calendar = calendar;
    this.#sql = new SqliteStatements(database);
    this.#facets = new FacetTable(database);
    this.#orders = new OrderTable(database);
    this.#cells = new CellTable(database);
    this.#steps = new StepTable(database, steps);
    this.#audit = new AuditTable(database);
    this.#quarantine = new QuarantineTable(database);
    this.#bank = new BankTables(database);
    this.#terms = new GatheredTerms(database);
    this.#numbers = new OrderNumbers(database, this.#terms.index('id'));
    const evidence = new MatchEvidence(database, calendar, this.#terms.index('match'), this.#numbers);
    const addItemTerm: AddTerm = (term, no) => this.#terms.add('item', term, no, no);
    this.#match = new MatchTable(database, evidence, settings, calendar, addItemTerm, parts.largeMembers);
  }

  checkpoint(): Checkpoint | null {
    const row = this.#sql.get(generationStatements.checkpoint, {});
    return row === undefined ? null : { position: branded<Position>(row.position), at: branded<Instant>(row.at) };
  }

  /** The last event that is included; null: none is. */
  included(): Included | null {
    return includedIn(this.#sql);
  }

  /**
   * Applies a batch and moves the checkpoint in one transaction, if the checkpoint is still where the batch begins.
   * `overtaken`: it is not, and nothing is changed; whoever moved it has included what this batch begins with.
   */
  apply(after: Position | null, batch: ProjectionBatch): 'applied' | 'overtaken' {
    // Others have written since, also where this batch begins behind them.
    if (after !== this.#written) this.#forget();
    try {
      const outcome = this.#database
        .transaction(() => {
          if ((this.checkpoint()?.position ?? null) !== after) return 'overtaken';
          this.#change(after, batch);
          return 'applied';
        })
        .immediate();
      this.#written = outcome === 'applied' ? batch.checkpoint.position : null;
      return outcome;
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  /**
   * Does a part of what batches have left, in a transaction of its own beside the checkpoint: runs of terms are merged, and
   * lines of a large file come into the match, and when no file is left, what waits for large items. What comes meanwhile need
   * not wait for all of it. Whether more may be left.
   */
  settle(): boolean {
    try {
      return this.#database
        .transaction(() => this.#terms.merge() || this.#settleLines() || this.#settleWaiting())
        .immediate();
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  /** Brings a part of what a large file has into the match. Whether more may be left. */
  #settleLines(): boolean {
    const due = this.#sql.get(evidenceStatements.firstDue, {});
    if (due === undefined) return false;
    const { position, statement_id, after } = due;
    const statementId = branded<StatementId>(statement_id);
    const lines = linesBehind(this.#bank, { statementId, after, limit: this.#parts.atOnce });
    const last = lines.at(-1);
    const isLast = last === undefined || lines.length < this.#parts.atOnce;
    const statement = isLast ? this.#bank.statement(statementId) : null;
    // The days come last: before all lines are in, no order is missed by them.
    const changes: readonly MatchChange[] = [
      ...lines.map((line): MatchChange => ({ _tag: 'Line', line })),
      ...(statement === null ? [] : coverOf(statement)),
    ];
    const touched = this.#match.take(changes, this.#addMatchTerm);
    if (isLast) this.#sql.run(evidenceStatements.removeDue, { position });
    else this.#sql.run(evidenceStatements.advanceDue, { position, after: last.index });
    this.#terms.write('match');
    this.#match.update(touched, position);
    this.#terms.write('item');
    return true;
  }

  /** Brings what waits into large items. */
  #settleWaiting(): boolean {
    const isDone = this.#match.updateWaiting();
    if (isDone) this.#terms.write('item');
    return isDone;
  }

  /** Forgets what was taken in of a batch that was rolled back, or before others have written: numbers may be given again. */
  #forget(): void {
    this.#facets.forget();
    this.#numbers.forget();
    this.#shares.clear();
    this.#match.forget();
    this.#terms.forget();
  }

  #change(
    after: Position | null,
    { checkpoint, events, orders, marks, quarantine, match, bank }: ProjectionBatch,
  ): void {
    const sums = new CellSums();
    const counts = new OrderCounts();
    const touchedOrders: NodeName[] = [];
    // Most ledgers match nothing: then orders are looked at that make an item by themselves, or with each other.
    const onlyItems = match.length === 0 && bank.length === 0 && this.#match.isOfOrdersAlone();
    for (const order of orders) {
      if (this.#changeOrder(order, sums, counts, onlyItems)) touchedOrders.push(orderNode(order.state.orderId));
    }
    const step = this.#steps.advance(checkpoint.position, events);
    for (const sum of sums.take()) this.#addSum(sum, step);
    for (const [key, change] of counts.facets) this.#facets.count(this.#facets.idOfKey(key), change);
    for (const [day, orders] of counts.settledDays) this.#sql.run(settledDayStatements.count, { day, orders });
    this.#audit.add(marks);
    for (const { position, terms } of marks) {
      const number = positionNumber(position);
      for (const term of terms) this.#terms.add('audit', term, number, number);
    }
    const touched = [
      ...touchedOrders,
      ...(match.length + bank.length === 0 ? [] : this.#match.take(this.#said(match, bank), this.#addMatchTerm)),
    ];
    for (const kind of ['order', 'id', 'audit', 'match'] as const) this.#terms.write(kind);
    this.#match.update(touched, after === null ? 0 : positionNumber(after) + 1);
    this.#terms.write('item');
    for (const change of quarantine) this.#quarantine.apply(change);
    const { position, at, eventId } = checkpoint;
    this.#sql.run(generationStatements.advance, { position, at, event_id: eventId, events });
  }

  /** What a batch says to the match. What came of bank files and transfers is taken in on the way; a large file is left to be settled. */
  *#said(match: readonly MatchChange[], bank: readonly BankChange[]): Generator<MatchChange, void> {
    yield* match;
    for (const change of bank) {
      this.#bank.apply(change);
      if (change._tag === 'Imported' && change.statement.lines > this.#parts.most) {
        const { position, statementId, lines } = change.statement;
        const due = { position: positionNumber(position), statement_id: statementId, lines };
        this.#sql.run(evidenceStatements.putDue, due);
      } else yield* matchChangesOf(this.#bank, change);
    }
  }

  #addSum(sum: CellSum, step: number): void {
    const of = readFacet(sum.facetKey);
    if (of === null) return;
    const [{ flow }, facet] = [of, this.#facets.idOfKey(sum.facetKey)];
    this.#cells.add(sum, flow, facet);
    const { basis, grain, period: day, measures } = sum;
    if (grain === 'day') this.#steps.add({ flow, basis, step, day, facet }, measures);
  }

  /**
   * Takes out what the order was, and puts in what it is; whether the match is to look at it.
   *
   * @param onlyItems whether it has to look only at orders that make an item, or made one
   */
  #changeOrder(order: BatchOrder, sums: CellSums, counts: OrderCounts, onlyItems: boolean): boolean {
    const match = matchOrderOf(order.state, this.#calendar);
    const row = orderRow(order, this.#calendar, match);
    const facet = this.#facets.idOfKey(row.facetKey);
    const there = this.#stored(order);
    if (there !== null) {
      sums.remove(there.facetKey, there.share.cells);
      counts.remove({ facetKey: there.facetKey, settledDay: there.share.settledDay });
    }
    sums.add(row.facetKey, row.cells);
    counts.add(row);
    const no = there === null ? this.#orders.insert(row, facet) : there.no;
    if (there === null) this.#terms.add('id', termOf(row.orderId), no, no);
    else this.#orders.update(no, row, facet);
    const isMoved = there === null || there.share.termRank !== row.termRank;
    const terms = isMoved ? row.terms : row.terms.filter((term) => !there.share.terms.includes(term));
    for (const term of terms) this.#terms.add('order', term, row.termRank, no);
    for (const term of row.matchTerms) {
      if (there === null || !there.share.matchTerms.includes(term)) {
        this.#terms.add('match', term, orderRef(no), orderRef(no));
      }
    }
    this.#numbers.note(row.orderId, no);
    this.#shares.keep(no, facet, row);
    const madeItem = there !== null && there.share.makesItem;
    if (onlyItems && !madeItem && !row.makesItem) return false;
    this.#match.noteOrder(no, match, there === null || (onlyItems && !madeItem));
    return true;
  }

  #stored({ state: { orderId }, isNew }: BatchOrder): StoredShare | null {
    if (isNew) return null;
    const no = this.#numbers.noted(orderId);
    const share = no === null ? null : this.#shares.get(no);
    const facetKey = share === null ? null : this.#facets.keyOf(share.facet);
    if (no !== null && share !== null && facetKey !== null) return { no, facetKey, share };
    const row = this.#numbers.row(orderId);
    if (row === null) return null;
    const { no: stored, order } = storedOrder(row);
    const read = orderShare(order, this.#calendar);
    return { no: stored, facetKey: read.facetKey, share: read };
  }
}
