import type Database from 'better-sqlite3';
import { shortDigest } from '../../domain/short-digest.ts';
import { indexedStream, namesComplete, streamsBehind, type NumberedStream } from './stream-tables.ts';

/** Names that wait in memory to be indexed: the more of them, the fewer pages of the index each costs. */
const WAITING = 65_536;
/** Ranges of digests, of which one at a time is indexed: a hundred and some names, near each other in the index. */
const RANGES = 512;
const DIGESTS = 2 ** 48;

const rangeOf = (digest: number): number => Math.floor((digest / DIGESTS) * RANGES);

/**
 * The writer's streams by name. A new name waits in memory, by the range of its digest; where too many wait, the range
 * whose turn it is goes into the index, in the order of digests. Once round, everything that waited when the round began
 * is indexed, which is written beside the index: what began behind that is read into memory by whoever opens the file.
 *
 * All that is written belongs to the transaction of the append: one that is rolled back is followed by `reload`.
 */
export class StreamIndex {
  readonly #add: Database.Statement<[number, string]>;
  readonly #index: Database.Statement<[number, number]>;
  readonly #complete: Database.Statement<[number]>;
  readonly #indexed: Database.Statement<[number, string], number>;
  readonly #behind: Database.Statement<[number], NumberedStream>;
  readonly #completeUpTo: Database.Statement<[], number>;
  readonly #waiting: readonly Map<string, number>[] = Array.from({ length: RANGES }, () => new Map<string, number>());
  #waitingCount = 0;
  /** The range whose turn is next. */
  #turn = 0;
  /** The last stream when the round began. */
  #roundBeganAt = 0;
  #last = 0;

  constructor(database: Database.Database) {
    this.#add = database.prepare('INSERT INTO streams (id, name) VALUES (?, ?)');
    // One that is found behind the last complete round may be indexed already.
    this.#index = database.prepare('INSERT INTO stream_names (digest, stream) VALUES (?, ?) ON CONFLICT DO NOTHING');
    this.#complete = database.prepare('UPDATE names_complete SET up_to = ?');
    this.#indexed = indexedStream(database);
    this.#behind = streamsBehind(database);
    this.#completeUpTo = namesComplete(database);
    this.reload();
  }

  /** Begins anew from what is in the file. */
  reload(): void {
    for (const range of this.#waiting) range.clear();
    this.#waitingCount = 0;
    this.#turn = 0;
    this.#last = this.#completeUpTo.get() ?? 0;
    for (const { id, name } of this.#behind.iterate(this.#last)) this.#wait(name, id);
    this.#roundBeganAt = this.#last;
  }

  /** The number of a stream; undefined where there is none of that name. */
  find(name: string): number | undefined {
    const digest = shortDigest(name);
    return this.#waiting[rangeOf(digest)]?.get(name) ?? this.#indexed.get(digest, name);
  }

  /** Begins a stream that is not there. Answers its number. */
  begin(name: string): number {
    const id = this.#last + 1;
    this.#add.run(id, name);
    this.#wait(name, id);
    return id;
  }

  /** Indexes what is too much to wait. */
  settle(): void {
    while (this.#waitingCount > WAITING) this.#indexRange();
  }

  #wait(name: string, id: number): void {
    this.#waiting[rangeOf(shortDigest(name))]?.set(name, id);
    this.#waitingCount += 1;
    this.#last = id;
  }

  #indexRange(): void {
    const range = this.#waiting[this.#turn] ?? new Map<string, number>();
    const entries = Array.from(range, ([name, id]) => ({ digest: shortDigest(name), id }));
    for (const { digest, id } of entries.toSorted((a, b) => a.digest - b.digest)) this.#index.run(digest, id);
    this.#waitingCount -= range.size;
    range.clear();
    this.#turn = (this.#turn + 1) % RANGES;
    if (this.#turn > 0) return;
    this.#complete.run(this.#roundBeganAt);
    this.#roundBeganAt = this.#last;
  }
}
