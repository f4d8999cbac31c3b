import type Database from 'better-sqlite3';
import { Recent } from '../../domain/recent.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import { mergedRuns } from './merged-runs.ts';
import { TermEntries, type TermEntry } from './term-entries.ts';
import { TermFilter } from './term-filter.ts';
import { TermFences } from './term-fences.ts';
import type { TermRun } from './term-segment.ts';
import { termStatements, type TermKind } from './term-statements.ts';

/** Numbers of the blocks of one run, the first being its fences. */
const BLOCKS_OF_A_RUN = 65_536;

/** Runs of about one size that are merged into one. */
const MERGED = 16;
/** So many of them are not left for later. */
const TOO_MANY = 4 * MERGED;
/** Entries of a run that is not merged any more, so that writing them once more never takes long. */
const FULL = 262_144;

/** Sizes of one class lie within a factor of `MERGED`. */
const classOf = (size: number): number => Math.floor(Math.log2(Math.max(1, size)) / Math.log2(MERGED));

/** So many terms that were looked for are worth a filter. */
const MANY_TERMS = 2_000;

/** Blocks that are kept of those that were read last, of 4 KB each: small runs are looked into again and again. */
const MOST_BLOCKS = 1_024;

/** Less than any rank. */
const FIRST_RANK = -Number.MAX_SAFE_INTEGER;

type Runs = readonly (readonly [number, TermFences])[];

type Steady = { readonly runs: Runs; isFiltered: boolean };

type RunRow = { readonly no: number; readonly size: number };

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
  /** By run, as far as many terms were looked for; what a run has never changes. */
  #filters: ReadonlyMap<number, TermFilter> = new Map();
  /** Terms that were looked for by whoever looks for many. */
  #looked = 0;
  /** Blocks by their number; what a block has never changes. */
  readonly #blocks = new Recent<number, Uint8Array>(MOST_BLOCKS);

  constructor(database: Database.Database, kind: TermKind) {
    this.#sql = new SqliteStatements(database);
    this.#kind = kind;
    this.#layout = new TermEntries(kind);
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
    while (this.#mergeSome(TOO_MANY));
  }

  /** Merges runs of one size where there are many; whether there were. It belongs into a transaction. */
  merge(): boolean {
    return this.#mergeSome(MERGED);
  }

  /** What was kept of runs that were not committed is gone: their numbers are given again. */
  forget(): void {
    this.#fences = new Map();
    this.#filters = new Map();
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
    const sources = this.#runs().map(([no, fences]) => this.#entriesOf(no, fences, term, fromRank));
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
    const filters = this.#filtersOf(this.#steady);
    const found: number[] = [];
    for (const [no, fences] of this.#steady?.runs ?? this.#runs()) {
      if (found.length >= enough) break;
      if (filters !== null && filters.get(no)?.mayHave(term) === false) continue;
      for (let block = fences.blockBefore(term, FIRST_RANK); block < fences.blocks; block += 1) {
        if (found.length >= enough || fences.termOf(block) > term) break;
        this.#layout.refs(this.#block(no * BLOCKS_OF_A_RUN + 1 + block), term, found);
      }
    }
    return found;
  }

  /** Hands over every entry, in no order. */
  each(take: (term: number, rank: number, ref: number) => void): void {
    for (const [no] of this.#runs()) {
      for (const { entries } of this.#sql.iterate(termStatements.blocks, blocksOf(no)))
        this.#layout.each(entries, take);
    }
  }

  /**
   * Hands over every entry, in no order; whether its runs are whole and sorted, and their fences those of their blocks, so
   * that whoever searches them finds each entry.
   */
  inspect(take: (term: number, rank: number, ref: number) => void): boolean {
    // Each of them is gone through, also behind one that is not whole.
    return (
      this.#sql.all(termStatements.runs, { kind: this.#kind }).filter((run) => !this.#inspectRun(run, take)).length ===
      0
    );
  }

  #inspectRun({ no, size }: RunRow, take: (term: number, rank: number, ref: number) => void): boolean {
    const firsts: { readonly term: number; readonly rank: number }[] = [];
    let [isWhole, entries, lastTerm, lastRank] = [true, 0, -1, FIRST_RANK];
    for (const block of this.#sql.iterate(termStatements.blocks, blocksOf(no))) {
      const isNext = block.no === no * BLOCKS_OF_A_RUN + 1 + firsts.length;
      if (!isNext || block.entries.length === 0 || block.entries.length % this.#layout.width !== 0) isWhole = false;
      let isFirst = true;
      this.#layout.each(block.entries, (term, rank, ref) => {
        if (isFirst) firsts.push({ term, rank });
        isFirst = false;
        if (term < lastTerm || (term === lastTerm && rank < lastRank)) isWhole = false;
        [lastTerm, lastRank] = [term, rank];
        entries += 1;
        take(term, rank, ref);
      });
    }
    const fences = this.#sql.get(termStatements.block, { no: no * BLOCKS_OF_A_RUN })?.entries;
    return isWhole && entries === size && fences !== undefined && TermFences.of(firsts).equals(fences);
  }

  /** The filters of all runs, once many terms were looked for; null before. */
  #filtersOf(steady: Steady | null): ReadonlyMap<number, TermFilter> | null {
    if (steady === null) return null;
    this.#looked += 1;
    if (this.#looked < MANY_TERMS) return null;
    if (!steady.isFiltered) {
      this.#filters = new Map(steady.runs.map(([no]) => [no, this.#filters.get(no) ?? this.#filterOf(no)]));
      steady.isFiltered = true;
    }
    return this.#filters;
  }

  #filterOf(no: number): TermFilter {
    const filter = new TermFilter(this.#sql.one(termStatements.run, { no }).size);
    for (const { entries } of this.#sql.iterate(termStatements.blocks, blocksOf(no)))
      this.#layout.terms(entries, filter.add);
    return filter;
  }

  #runs(): Runs {
    const runs = this.#sql
      .all(termStatements.runs, { kind: this.#kind })
      .map(({ no }) => [no, this.#fences.get(no) ?? this.#fencesOf(no)] as const);
    this.#fences = new Map(runs);
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

  #mergeSome(many: number): boolean {
    const merged = this.#toMerge(many);
    if (merged.length === 0) return false;
    // It is added before they go, so that no number is ever given twice.
    this.#addMerged(merged);
    for (const { no } of merged) {
      this.#sql.run(termStatements.removeRun, { no });
      this.#sql.run(termStatements.removeBlocks, { ...blocksOf(no), first: no * BLOCKS_OF_A_RUN });
    }
    return true;
  }

  #addMerged(merged: readonly RunRow[]): void {
    const size = merged.reduce((sum, run) => sum + run.size, 0);
    const { no } = this.#sql.one(termStatements.addRun, { kind: this.#kind, size });
    const first = no * BLOCKS_OF_A_RUN;
    const firsts: { readonly term: number; readonly rank: number }[] = [];
    const runs = merged.map((run) => this.#blocksOf(run.no));
    for (const { term, rank, entries } of mergedRuns(this.#layout, runs)) {
      firsts.push({ term, rank });
      this.#sql.run(termStatements.addBlock, { no: first + firsts.length, entries });
    }
    this.#sql.run(termStatements.addBlock, { no: first, entries: TermFences.of(firsts) });
  }

  /** The blocks of a run, one by one, so that others can be read and written in between. */
  *#blocksOf(run: number): Generator<Uint8Array, void> {
    for (let no = run * BLOCKS_OF_A_RUN + 1; ; no += 1) {
      const block = this.#sql.get(termStatements.block, { no });
      if (block === undefined) return;
      yield block.entries;
    }
  }

  /** The first runs of one class that are so many, or large enough together to be left alone then. */
  #toMerge(many: number): readonly RunRow[] {
    const classes = new Map<number, RunRow[]>();
    for (const run of this.#sql.all(termStatements.runs, { kind: this.#kind })) {
      if (run.size >= FULL) continue;
      const of = classOf(run.size);
      classes.set(of, [...(classes.get(of) ?? []), run]);
    }
    const isLarge = (runs: readonly RunRow[]): boolean =>
      runs.length > 1 && runs.reduce((sum, { size }) => sum + size, 0) >= (FULL / MERGED) * many;
    const due = [...classes.values()].find((runs) => runs.length >= many || isLarge(runs));
    return (due ?? []).slice(-MERGED);
  }
}

/** The entries of a run, without its fences. */
const blocksOf = (no: number): { readonly first: number; readonly last: number } => ({
  first: no * BLOCKS_OF_A_RUN + 1,
  last: (no + 1) * BLOCKS_OF_A_RUN - 1,
});
