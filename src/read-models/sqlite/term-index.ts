import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import { sqlite } from './tables.ts';
import { entriesIn, type TermBlock } from './term-segment.ts';

/** One thing that a term finds. `rank` orders them, the least first. */
export type TermEntry = { readonly rank: number; readonly ref: number };

type BlockRow = { readonly no: number; readonly first_term: number; readonly entries: Uint8Array };

/** Entries that are read at a time of those that came after the last build. */
const PAGE = 256;

/**
 * An index of exact terms that is only ever added to. A build writes what it knows as sorted segments of blocks, which
 * costs a fifth of a B-tree; what comes later goes into a table beside them, until the next build. Entries are never taken
 * away: whoever reads one compares it with what it leads to.
 */
export class TermIndex {
  readonly #add: Database.Statement<[number, number, number]>;
  readonly #addBlock: Database.Statement<[number, number, number, Uint8Array]>;
  readonly #later: Database.Statement<[number, number, number], TermEntry>;
  readonly #blockBefore: Database.Statement<[number, number, number], BlockRow>;
  readonly #firstBlock: Database.Statement<[number], BlockRow>;
  readonly #blockAt: Database.Statement<[number, number], BlockRow>;
  readonly #segments: Database.Statement<[], number>;

  constructor(database: Database.Database, name: 'order' | 'audit') {
    const terms = `${name}_terms` as const;
    const blocks = `${name}_term_blocks` as const;
    this.#add = database.prepare(
      sqlite
        .insertInto(terms)
        .values({ term: 0, rank: 0, ref: 0 })
        .onConflict((it) => it.doNothing())
        .compile().sql,
    );
    const block = { segment: 0, first_term: 0, first_rank: 0, entries: new Uint8Array() };
    this.#addBlock = database.prepare(sqlite.insertInto(blocks).values(block).compile().sql);
    this.#later = database.prepare(
      sqlite
        .selectFrom(terms)
        .select(['rank', 'ref'])
        .where('term', '=', 0)
        .where((it) => it(it.refTuple('rank', 'ref'), '>', it.tuple(0, 0)))
        .orderBy('rank')
        .orderBy('ref')
        .limit(sql.lit(PAGE))
        .compile().sql,
    );
    const blockOf = sqlite.selectFrom(blocks).select(['no', 'first_term', 'entries']).where('segment', '=', 0);
    this.#blockBefore = database.prepare(
      blockOf
        .where((it) => it(it.refTuple('first_term', 'first_rank'), '<', it.tuple(0, 0)))
        .orderBy('first_term', 'desc')
        .orderBy('first_rank', 'desc')
        .limit(sql.lit(1))
        .compile().sql,
    );
    this.#firstBlock = database.prepare(
      blockOf.orderBy('first_term').orderBy('first_rank').limit(sql.lit(1)).compile().sql,
    );
    this.#blockAt = database.prepare(blockOf.where('no', '=', 0).compile().sql);
    this.#segments = database
      .prepare<[], number>(
        sqlite
          .selectFrom(blocks)
          .select((it) => it.fn.max('segment').as('last'))
          .compile().sql,
      )
      .pluck();
  }

  add(term: number, rank: number, ref: number): void {
    this.#add.run(term, rank, ref);
  }

  /** Adds the blocks of one segment. */
  addSegment(segment: number, blocks: readonly TermBlock[]): void {
    for (const { firstTerm, firstRank, entries } of blocks) this.#addBlock.run(segment, firstTerm, firstRank, entries);
  }

  /** Everything that a term finds from a rank on, in the order of ranks. */
  *find(term: number, fromRank: number): Generator<TermEntry, void> {
    const sources = [this.#laterEntries(term, fromRank)];
    const last = this.#segments.get() ?? -1;
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
      const page = this.#later.all(term, rank, ref);
      yield* page;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      [rank, ref] = [last.rank, last.ref];
    }
  }

  *#entriesOf(segment: number, term: number, fromRank: number): Generator<TermEntry, void> {
    let block = this.#blockBefore.get(segment, term, fromRank) ?? this.#firstBlock.get(segment);
    while (block !== undefined && block.first_term <= term) {
      yield* entriesIn(block.entries, term, fromRank);
      block = this.#blockAt.get(segment, block.no + 1);
    }
  }
}
