import type Database from 'better-sqlite3';
import { Recent } from '../../../domain/recent.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { inspectRuns } from './inspect-runs.ts';
import { FULL, MERGED, mergeRuns, TOO_MANY } from './merge-runs.ts';
import { BLOCKS_OF_A_RUN, blocksOf, FIRST_RANK, type RunRow } from './run-blocks.ts';
import { TermEntries, type TermEntry } from './term-entries.ts';
import { TermFilter } from './term-filter.ts';
import { TermFences } from './term-fences.ts';
import type { TermRun } from './term-segment.ts';
import { termStatements, type TermKind } from './term-statements.ts';

/** So many terms that were looked for one behind the other are worth a filter of every run. */
const MANY_TERMS = 2_000;

/** When questions are worth filters, and of which runs. */
type FilterLimits = {
  /** So many terms that they looked for. */
  readonly worth: number;
  /** Runs of so many entries, which are never merged. */
  readonly fewest: number;
  /** Entries of all runs that have one: each takes 1.25 bytes. */
  readonly most: number;
};

const QUESTION_FILTERS: FilterLimits = { worth: 100, fewest: FULL, most: 33_554_432 };

/** Blocks of a run that go into its filter at a time: a millisecond's work. */
const BLOCKS_AT_ONCE = 64;

/** Blocks that are kept of those that were read last, of 4 KB each: small runs are looked into again and again. */
const MOST_BLOCKS = 1_024;

type Runs = readonly (RunRow & { readonly fences: TermFences })[];

type Steady = { readonly runs: Runs; isFiltered: boolean };

/** Runs as a connection that only reads saw them, and the newest run of all indexes then. */
type SeenRuns = { readonly newest: number | null; readonly runs: Runs };

/** A filter that is made some blocks at a time. `next`: the block, from 0. */
type Making = RunRow & { readonly filter: TermFilter; next: number; added: number };

/**
 * An index of exact terms that is only ever added to. Each batch adds one sorted run, at the end of the table; sixteen
 * runs of about one size become one. So an entry is written three to five times in all, however many there are, where a
 * B-tree writes a page for nearly every entry. Entries are never taken away: whoever reads one compares it with what it
 * leads to.
 */
export class TermIndex {
  readonly #sql: SqliteStatements;
  readonly #kind: TermKind;
  readonly #layout: TermEntries;
  /** Of runs that were there last: what a run consists of never changes. */
  #fences: ReadonlyMap<number, TermFences> = new Map();
  /** Its runs, while nothing is added to it; null: they are read each time. */
  #steady: Steady | null = null;
  /** By run, as far as terms were looked for often enough; what a run has never changes. */
  #filters: ReadonlyMap<number, TermFilter> = new Map();
  /** Terms that were looked for by whoever looks for many; by questions. */
  #looked = 0;
  #asked = 0;
  #making: Making | null = null;
  #seen: SeenRuns | null = null;
  /** Blocks by their number; what a block has never changes. */
  readonly #blocks = new Recent<number, Uint8Array>(MOST_BLOCKS);

  readonly #questionFilters: FilterLimits;
  /** Whether only others write what this connection reads. */
  readonly #isReader: boolean;

  constructor(database: Database.Database, kind: TermKind, questionFilters = QUESTION_FILTERS) {
    this.#sql = new SqliteStatements(database);
    this.#kind = kind;
    this.#layout = new TermEntries(kind);
    this.#questionFilters = questionFilters;
    this.#isReader = database.readonly;
  }

  /** Adds a run. It belongs into the transaction of what it leads to. */
  addRun({ size, fences, blocks }: TermRun): void {
    if (size === 0) return;
    const { no } = this.#sql.one(termStatements.addRun, { kind: this.#kind, size });
    const first = no * BLOCKS_OF_A_RUN;
    this.#sql.run(termStatements.addBlock, { no: first, entries: fences });
    for (const [i, entries] of blocks.entries()) {
      this.#sql.run(termStatements.addBlock, { no: first + 1 + i, entries });
    }
  }

  /** Merges runs as far as there are too many of one size. It belongs into the transaction of an `addRun`. */
  mergeTooMany(): void {
    while (mergeRuns(this.#sql, this.#kind, this.#layout, TOO_MANY));
  }

  /** Merges runs of one size where there are many; whether there were. It belongs into a transaction. */
  merge(): boolean {
    return mergeRuns(this.#sql, this.#kind, this.#layout, MERGED);
  }

  /** What was kept of runs that were not committed is gone: their numbers are given again. */
  forget(): void {
    this.#fences = new Map();
    this.#filters = new Map();
    this.#making = null;
    this.#seen = null;
    this.#blocks.clear();
  }

  /**
   * Does what looks for many terms, within one transaction in which nothing is added: its runs are read once, and what has
   * not any of many terms is told from memory.
   */
  steady<A>(work: () => A): A {
    if (this.#steady !== null) return work();
    this.#steady = { runs: this.#runs(), isFiltered: false };
    try {
      return work();
    } finally {
      this.#steady = null;
    }
  }

  /** Everything that a term finds from a rank on, in the order of ranks. */
  *find(term: number, fromRank: number): Generator<TermEntry, void> {
    this.#asked += 1;
    const sources = this.#runs()
      .filter(({ no }) => this.#mayHave(no, term))
      .map(({ no, fences }) => this.#entriesOf(no, fences, term, fromRank));
    const heads = sources.map((source) => source.next());
    for (;;) {
      let least = -1;
      let entry: TermEntry | null = null;
      for (const [i, head] of heads.entries()) {
        if (head.done !== true && (entry === null || head.value.rank < entry.rank)) [least, entry] = [i, head.value];
      }
      const source = sources[least];
      if (entry === null || source === undefined) return;
      yield entry;
      heads[least] = source.next();
    }
  }

  /**
   * What a term leads to, what was added last nearly first.
   *
   * @param enough where so much was found, the rest need not be
   */
  refs(term: number, enough = Infinity): readonly number[] {
    if (this.#steady === null) this.#asked += 1;
    else this.#filterAll(this.#steady);
    const found: number[] = [];
    for (const { no, fences } of this.#steady?.runs ?? this.#runs()) {
      if (found.length >= enough) break;
      if (!this.#mayHave(no, term)) continue;
      for (let block = fences.blockBefore(term, FIRST_RANK); block < fences.blocks; block += 1) {
        if (found.length >= enough || fences.termOf(block) > term) break;
        this.#layout.refs(this.#block(no * BLOCKS_OF_A_RUN + 1 + block), term, found);
      }
    }
    return found;
  }

  /**
   * Hands over every entry, in no order; whether its runs are whole and sorted, and their fences those of their blocks, so
   * that whoever searches them finds each entry.
   */
  inspect(take: (term: number, rank: number, ref: number) => void): boolean {
    return inspectRuns(this.#sql, this.#kind, this.#layout, take);
  }

  /**
   * Makes a part of the filters of large runs, where so many questions were asked that they are worth it: without one a run
   * costs each question a block. For a connection that only reads, between two questions. Whether more may be left.
   */
  prepare(): boolean {
    if (this.#asked < this.#questionFilters.worth) return false;
    this.#making ??= this.#nextToFilter();
    const making = this.#making;
    if (making === null) return false;
    const whole = blocksOf(making.no);
    const first = whole.first + making.next;
    const last = Math.min(first + BLOCKS_AT_ONCE - 1, whole.last);
    const blocks = this.#sql.all(termStatements.blocks, { first, last });
    for (const { entries } of blocks) {
      this.#layout.terms(entries, making.filter.add);
      making.added += entries.length / this.#layout.width;
    }
    making.next += blocks.length;
    if (blocks.length === BLOCKS_AT_ONCE && making.added < making.size) return true;
    this.#making = null;
    // Of a run that is not whole, or went meanwhile, a filter would say too much.
    if (making.added !== making.size) return false;
    this.#filters = new Map(this.#filters).set(making.no, making.filter);
    return true;
  }

  #nextToFilter(): Making | null {
    const { fewest, most } = this.#questionFilters;
    const runs = this.#runs();
    this.#filters = new Map(runs.flatMap(({ no }) => present(this.#filters, no)));
    const filtered = runs.reduce((sum, { no, size }) => sum + (this.#filters.has(no) ? size : 0), 0);
    const next = runs.find(({ no, size }) => size >= fewest && filtered + size <= most && !this.#filters.has(no));
    return next === undefined ? null : { ...next, filter: new TermFilter(next.size), next: 0, added: 0 };
  }

  #mayHave(no: number, term: number): boolean {
    return this.#filters.get(no)?.mayHave(term) !== false;
  }

  /** Makes the filters of all runs, once many terms were looked for. */
  #filterAll(steady: Steady): void {
    this.#looked += 1;
    if (this.#looked < MANY_TERMS || steady.isFiltered) return;
    this.#filters = new Map(steady.runs.map((run) => [run.no, this.#filters.get(run.no) ?? this.#filterOf(run)]));
    steady.isFiltered = true;
  }

  #filterOf({ no, size }: RunRow): TermFilter {
    const filter = new TermFilter(size);
    for (const { entries } of this.#sql.iterate(termStatements.blocks, blocksOf(no)))
      this.#layout.terms(entries, filter.add);
    return filter;
  }

  /** Its runs, the newest first. Who only reads has them read anew where others have added some since. */
  #runs(): Runs {
    const newest = this.#isReader ? this.#sql.one(termStatements.newest, {}).no : null;
    if (newest !== null && this.#seen?.newest === newest) return this.#seen.runs;
    const runs = this.#sql
      .all(termStatements.runs, { kind: this.#kind })
      .map(({ no, size }) => ({ no, size, fences: this.#fences.get(no) ?? this.#fencesOf(no) }));
    this.#fences = new Map(runs.map(({ no, fences }) => [no, fences]));
    this.#seen = newest === null ? null : { newest, runs };
    return runs;
  }

  #fencesOf(no: number): TermFences {
    return new TermFences(this.#sql.one(termStatements.block, { no: no * BLOCKS_OF_A_RUN }).entries);
  }

  *#entriesOf(no: number, fences: TermFences, term: number, fromRank: number): Generator<TermEntry, void> {
    for (let block = fences.blockBefore(term, fromRank); block < fences.blocks; block += 1) {
      if (fences.termOf(block) > term) return;
      yield* this.#layout.of(this.#block(no * BLOCKS_OF_A_RUN + 1 + block), term, fromRank);
    }
  }

  /** Kept for whoever looks for many terms alone: others may read what was rolled back and written anew. */
  #block(no: number): Uint8Array {
    const known = this.#steady === null ? undefined : this.#blocks.get(no);
    if (known !== undefined) return known;
    const { entries } = this.#sql.one(termStatements.block, { no });
    if (this.#steady !== null) this.#blocks.put(no, entries);
    return entries;
  }
}

/** What a map has of a number, as an entry of it; nothing where it has none. */
const present = <A>(map: ReadonlyMap<number, A>, no: number): readonly (readonly [number, A])[] => {
  const found = map.get(no);
  return found === undefined ? [] : [[no, found]];
};
