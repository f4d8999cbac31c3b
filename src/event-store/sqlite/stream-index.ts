import type Database from 'better-sqlite3';
import { shortDigest } from '../../domain/short-digest.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import { indexedNames, newStreams, streamStatements } from './stream-tables.ts';

/** How much waits in memory. */
type IndexSizes = {
  /** Names that wait to be indexed, about: the more of them, the fewer pages of the index each costs. */
  readonly waiting: number;
  /** Ranges of digests, of which one after the other is indexed. */
  readonly ranges: number;
};

/** A range has two hundred and some names when its turn comes, which lie near each other in the index. */
const SIZES: IndexSizes = { waiting: 65_536, ranges: 512 };
/** Ranges that one transaction indexes at the most, so that none takes much longer than others: some thousand names. */
const RANGES_AT_ONCE = 16;
/** The same while a round is owed, and nothing else presses. */
const OWED_AT_ONCE = 4;
/** Up to which stream the index is complete is written so many times while all ranges have their turn. */
const NOTES_OF_A_ROUND = 8;
const DIGESTS = 2 ** 48;

/** Names of one range that wait. */
type Range = {
  readonly waiting: Map<string, number>;
  /** Every name of the range up to this stream is indexed. */
  completeUpTo: number;
};

/**
 * The writer's streams by name. A new name waits in memory, by the range of its digest. Where too many wait, the range
 * whose turn it is goes into the index in the order of digests. Up to which stream the index is complete is noted beside
 * it: what began behind that is read into memory by whoever opens the file. Where more waits then than may wait, a whole
 * round is owed: a ledger that is started often would otherwise never come to the end of one.
 *
 * All that is written belongs to the transaction of the append, and is written when that ends (`settle`): one that is
 * rolled back is followed by `reload`.
 */
export class StreamIndex {
  readonly #sql: SqliteStatements;
  readonly #mostWaiting: number;
  readonly #ranges: readonly Range[];
  /** Streams that the transaction under way began. */
  readonly #begun: (readonly [id: number, name: string])[] = [];
  #waitingCount = 0;
  /** The range whose turn is next: the one that was indexed longest ago. */
  #turn = 0;
  /** Ranges that have a turn whatever waits. */
  #owed = 0;
  #last = 0;

  constructor(database: Database.Database, { waiting, ranges } = SIZES) {
    this.#sql = new SqliteStatements(database);
    this.#mostWaiting = waiting;
    this.#ranges = Array.from({ length: ranges }, () => ({ waiting: new Map<string, number>(), completeUpTo: 0 }));
    this.reload();
  }

  /** Begins anew from what is in the file. */
  reload(): void {
    const { up_to } = this.#sql.one(streamStatements.complete, {});
    for (const range of this.#ranges) {
      range.waiting.clear();
      range.completeUpTo = up_to;
    }
    this.#begun.length = 0;
    this.#waitingCount = 0;
    this.#last = up_to;
    for (const { id, name } of this.#sql.iterate(streamStatements.behind, { id: up_to })) this.#wait(name, id);
    this.#owed = this.#waitingCount > this.#mostWaiting ? this.#ranges.length : 0;
  }

  /** The number of a stream; undefined where there is none of that name. */
  find(name: string): number | undefined {
    const digest = shortDigest(name);
    return this.#rangeOf(digest)?.waiting.get(name) ?? this.#sql.get(streamStatements.indexed, { digest, name })?.id;
  }

  /** Begins a stream that is not there. Answers its number. */
  begin(name: string): number {
    const id = this.#last + 1;
    this.#begun.push([id, name]);
    this.#wait(name, id);
    return id;
  }

  /**
   * Writes the streams that were begun, and indexes what is too much to wait, and a part of what is owed; called at the end
   * of a transaction that began streams.
   */
  settle(): void {
    this.#sql.put(newStreams, this.#begun);
    this.#begun.length = 0;
    for (let turns = 0; turns < RANGES_AT_ONCE && this.#waitingCount > this.#mostWaiting; turns += 1) this.#indexNext();
    for (let turns = 0; turns < OWED_AT_ONCE && this.#owed > 0; turns += 1) this.#indexNext();
  }

  #rangeOf(digest: number): Range | undefined {
    return this.#ranges[Math.floor((digest / DIGESTS) * this.#ranges.length)];
  }

  #wait(name: string, id: number): void {
    this.#rangeOf(shortDigest(name))?.waiting.set(name, id);
    this.#waitingCount += 1;
    this.#last = id;
  }

  #indexNext(): void {
    const range = this.#ranges[this.#turn];
    if (range === undefined) return;
    const entries = Array.from(range.waiting, ([name, id]) => [shortDigest(name), id] as const);
    this.#sql.put(
      indexedNames,
      entries.toSorted(([a], [b]) => a - b),
    );
    this.#waitingCount -= entries.length;
    range.waiting.clear();
    range.completeUpTo = this.#last;
    this.#turn = (this.#turn + 1) % this.#ranges.length;
    this.#owed = Math.max(0, this.#owed - 1);
    if (this.#turn % (this.#ranges.length / NOTES_OF_A_ROUND) === 0) this.#noteComplete();
  }

  #noteComplete(): void {
    const up_to = this.#ranges[this.#turn]?.completeUpTo ?? 0;
    this.#sql.run(streamStatements.setComplete, { up_to });
  }
}
