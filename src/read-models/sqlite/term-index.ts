import type Database from 'better-sqlite3';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import { allEntries, entriesIn, type TermBlock } from './term-segment.ts';
import { termStatements } from './term-statements.ts';

/** One thing that a term finds. `rank` orders them, the least first. */
export type TermEntry = { readonly rank: number; readonly ref: number };

/** Entries that are read at a time of those that came after the last build. */
const PAGE = 256;

/**
 * An index of exact terms that is only ever added to. A build writes what it knows as sorted segments of blocks, which
 * costs a fifth of a B-tree; what comes later goes into a table beside them, until the next build. Entries are never taken
 * away: whoever reads one compares it with what it leads to.
 */
export class TermIndex {
  readonly #sql: SqliteStatements;
  readonly #statements: ReturnType<typeof termStatements>;

  constructor(database: Database.Database, name: 'order' | 'audit') {
    this.#sql = new SqliteStatements(database);
    this.#statements = termStatements(name);
  }

  add(term: number, rank: number, ref: number): void {
    this.#sql.run(this.#statements.add, { term, rank, ref });
  }

  /** Adds the blocks of one segment. */
  addSegment(segment: number, blocks: readonly TermBlock[]): void {
    for (const { firstTerm, firstRank, entries } of blocks) {
      this.#sql.run(this.#statements.addBlock, { segment, first_term: firstTerm, first_rank: firstRank, entries });
    }
  }

  /** Everything that a term finds from a rank on, in the order of ranks. */
  *find(term: number, fromRank: number): Generator<TermEntry, void> {
    const sources = [this.#laterEntries(term, fromRank)];
    const last = this.#sql.one(this.#statements.lastSegment, {}).last ?? -1;
    for (let segment = 0; segment <= last; segment += 1) sources.push(this.#entriesOf(segment, term, fromRank));
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

  *#laterEntries(term: number, fromRank: number): Generator<TermEntry, void> {
    let [rank, ref] = [fromRank, Number.MIN_SAFE_INTEGER];
    for (;;) {
      const page = this.#sql.all(this.#statements.laterOf, { term, rank, ref, most: PAGE });
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      [rank, ref] = [last.rank, last.ref];
    }
  }

  *#entriesOf(segment: number, term: number, fromRank: number): Generator<TermEntry, void> {
    const before = { segment, first_term: term, first_rank: fromRank };
    let block =
      this.#sql.get(this.#statements.blockBefore, before) ?? this.#sql.get(this.#statements.firstBlock, { segment });
    while (block !== undefined && block.first_term <= term) {
      yield* entriesIn(block.entries, term, fromRank);
      block = this.#sql.get(this.#statements.blockAt, { segment, no: block.no + 1 });
    }
  }
}

/** Every entry of an index, in any order. */
export function* everyEntry(
  database: Database.Database,
  name: 'order' | 'audit',
): Generator<{ readonly term: number; readonly ref: number }, void> {
  const [sql, { allLater, allBlocks }] = [new SqliteStatements(database), termStatements(name)];
  yield* sql.iterate(allLater, {});
  for (const { entries } of sql.iterate(allBlocks, {})) yield* allEntries(entries);
}
