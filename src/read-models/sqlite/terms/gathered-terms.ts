import type Database from 'better-sqlite3';
import { TermIndex } from './term-index.ts';
import { TermSegment } from './term-segment.ts';
import type { TermKind } from './term-statements.ts';

/** An index, and what a batch adds to it. */
type Gathered = { readonly index: TermIndex; readonly segment: TermSegment };

const gathered = (database: Database.Database, kind: TermKind): Gathered => ({
  index: new TermIndex(database, kind),
  segment: new TermSegment(kind),
});

/** The indexes of terms of one generation, and what a batch adds to them. */
export class GatheredTerms {
  readonly #kinds: Readonly<Record<TermKind, Gathered>>;

  constructor(database: Database.Database) {
    this.#kinds = {
      order: gathered(database, 'order'),
      id: gathered(database, 'id'),
      audit: gathered(database, 'audit'),
      match: gathered(database, 'match'),
      item: gathered(database, 'item'),
    };
  }

  index(kind: TermKind): TermIndex {
    return this.#kinds[kind].index;
  }

  add(kind: TermKind, term: number, rank: number, ref: number): void {
    this.#kinds[kind].segment.add(term, rank, ref);
  }

  /** Writes what was gathered of one kind. Runs are merged when the batch is done, so that nobody waits for it meanwhile. */
  write(kind: TermKind): void {
    const { index, segment } = this.#kinds[kind];
    index.addRun(segment.take());
    index.mergeTooMany();
  }

  /** Merges runs of one index, in a transaction of its own; whether there were any to merge. */
  merge(): boolean {
    return Object.values(this.#kinds).some(({ index }) => index.merge());
  }

  /** What was gathered, and read, in a transaction that was rolled back. */
  forget(): void {
    for (const { index, segment } of Object.values(this.#kinds)) {
      index.forget();
      segment.clear();
    }
  }
}
