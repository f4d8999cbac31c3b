import type Database from 'better-sqlite3';
import type { Calendar } from '../../../domain/business-day.ts';
import type { Flow } from '../../../domain/flow.ts';
import type { MatchSettings } from '../../../domain/match-settings.ts';
import { comparePositions } from '../../../domain/position.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { chunked } from '../../audit-chunk.ts';
import { CellSums, type DaySum } from '../../cell-sums.ts';
import { mergedMarks, type LoadedMarks } from '../../loaded-marks.ts';
import { eachLoaded, type AwaitedOrder } from '../../loaded-orders.ts';
import type { LogStep } from '../../log-steps.ts';
import { OrderCounts } from '../../order-counts.ts';
import { unpackedDays } from '../../packed-days.ts';
import type { Included } from '../../read-models.ts';
import { generationStatements } from '../../statements/generation-statements.ts';
import { settledDayStatements } from '../../statements/settled-day-statements.ts';
import { StepSums } from '../../step-sums.ts';
import { readFacet } from '../../stored-facet.ts';
import { AuditTable } from '../audit-table.ts';
import { allMatchChanges } from '../match/bank-match.ts';
import { BankTables } from '../match/bank-tables.ts';
import { MatchLoad } from '../match/match-load.ts';
import { OrderTable, type NumberedRow } from '../orders/order-table.ts';
import { QuarantineTable } from '../quarantine-table.ts';
import { CellTable, type NumberedSum } from '../reports/cell-table.ts';
import { FacetTable } from '../reports/facet-table.ts';
import { StepTable, type StepChange } from '../reports/step-table.ts';
import { TermIndex } from '../terms/term-index.ts';
import type { Gathered, LoadedPart } from './rebuild-tasks.ts';

/** Sums of steps in memory at the most, some tens of MB: more of them go into the table on the way. */
const MOST_STEP_SUMS = 50_000;

/** What sums of a class are written under. `id`: its number. */
type LoadedFacet = { readonly id: number; readonly flow: Flow };

/** Fills the empty tables of a new generation. */
export class BulkLoad {
  readonly #database: Database.Database;
  readonly #facets: FacetTable;
  readonly #orders: OrderTable;
  readonly #audit: AuditTable;
  readonly #quarantine: QuarantineTable;
  readonly #bank: BankTables;
  readonly #orderTerms: TermIndex;
  readonly #ids: TermIndex;
  readonly #auditTerms: TermIndex;
  readonly #match: MatchLoad;
  readonly #steps: StepTable;
  readonly #sums = new CellSums();
  readonly #stepSums = new StepSums();
  /** Steps of which sums are in the table already. */
  readonly #written = new Set<number>();
  readonly #ends = new Map<number, LogStep>();
  readonly #counts = new OrderCounts();
  readonly #marks: LoadedMarks[] = [];
  readonly #known = new Map<string, LoadedFacet | null>();
  orders = 0;

  constructor(database: Database.Database, calendar: Calendar, settings: MatchSettings) {
    this.#database = database;
    this.#facets = new FacetTable(database);
    this.#orders = new OrderTable(database);
    this.#audit = new AuditTable(database);
    this.#quarantine = new QuarantineTable(database);
    this.#bank = new BankTables(database);
    this.#orderTerms = new TermIndex(database, 'order');
    this.#ids = new TermIndex(database, 'id');
    this.#auditTerms = new TermIndex(database, 'audit');
    this.#steps = new StepTable(database);
    this.#match = new MatchLoad(database, calendar, settings);
  }

  addPart({ orders, marks, quarantine, match, bank, steps, gathered }: LoadedPart): void {
    for (const step of steps) this.#extend(step);
    this.#marks.push(marks);
    this.#database.transaction(() => {
      const rows: NumberedRow[] = [];
      const due: (readonly [number, AwaitedOrder])[] = [];
      for (const { no, kept, awaited } of eachLoaded(orders)) {
        rows.push({ no, row: kept, facet: this.#facets.idOfKey(kept.facetKey) });
        this.#counts.add(kept);
        if (awaited !== null) due.push([no, awaited]);
      }
      this.#orders.insertAll(rows);
      this.#match.addAwaited(due);
      this.#match.addClaims(orders.claims);
      for (const change of quarantine) this.#quarantine.apply(change);
      this.#match.add(match);
      for (const change of bank) this.#bank.apply(change);
      this.addGathered(gathered);
    })();
    this.orders += orders.rows.length;
  }

  addGathered({ sums, terms, ids, match, audit }: Gathered): void {
    for (const days of sums) {
      const step = this.#stepSums.of(days.step);
      for (const sum of unpackedDays(days)) {
        this.#sums.addDay(sum);
        step.addDay(sum);
      }
    }
    if (this.#stepSums.size > MOST_STEP_SUMS) this.#writeSteps();
    this.#orderTerms.addRun(terms);
    this.#ids.addRun(ids);
    this.#match.addRun(match);
    this.#auditTerms.addRun(audit);
  }

  /** Writes what was counted and summed on the way, and how far all of it goes. */
  finish({ position, at, eventId }: Included, events: number): void {
    const cells = new CellTable(this.#database);
    const sql = new SqliteStatements(this.#database);
    this.#database.transaction(() => {
      cells.putAll(this.#numberedSums());
      this.#writeSteps();
      for (const step of this.#ends.values()) this.#steps.extend(step);
      for (const [key, count] of this.#counts.facets) this.#facets.count(this.#facets.idOfKey(key), count);
      for (const [day, orders] of this.#counts.settledDays) sql.run(settledDayStatements.count, { day, orders });
      this.#match.add(allMatchChanges(this.#bank));
      this.#match.finish();
      this.#audit.addChunks(chunked(mergedMarks(this.#marks)));
      sql.run(generationStatements.advance, { position, at, event_id: eventId, events });
    })();
  }

  #extend({ no, upTo, events }: LogStep): void {
    const known = this.#ends.get(no);
    const isBefore = known !== undefined && comparePositions(upTo, known.upTo) < 0;
    this.#ends.set(no, { no, upTo: isBefore ? known.upTo : upTo, events: (known?.events ?? 0) + events });
  }

  *#numberedSums(): Generator<NumberedSum, void> {
    for (const sum of this.#sums.take()) {
      const of = this.#facetOf(sum.facetKey);
      if (of !== null) yield { sum, flow: of.flow, facet: of.id };
    }
  }

  #writeSteps(): void {
    for (const [step, sums] of this.#stepSums.take()) {
      const changes = this.#changesOf(step, sums);
      if (this.#written.has(step)) for (const { cell, measures } of changes) this.#steps.add(cell, measures);
      else this.#steps.putAll(changes);
      this.#written.add(step);
    }
  }

  *#changesOf(step: number, sums: Iterable<DaySum>): Generator<StepChange, void> {
    for (const { facetKey, basis, day, measures } of sums) {
      const of = this.#facetOf(facetKey);
      if (of !== null) yield { cell: { flow: of.flow, basis, step, day, facet: of.id }, measures };
    }
  }

  #facetOf(key: string): LoadedFacet | null {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const facet = readFacet(key);
    const found = facet === null ? null : { id: this.#facets.idOfKey(key), flow: facet.flow };
    this.#known.set(key, found);
    return found;
  }
}
