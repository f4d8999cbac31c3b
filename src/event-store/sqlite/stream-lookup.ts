import type Database from 'better-sqlite3';
import { ORDER_STREAM } from '../../domain/ids.ts';
import { shortDigest } from '../../domain/short-digest.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import { streamStatements } from './stream-tables.ts';

/** Names held in memory; beyond them, those that came to be indexed meanwhile are forgotten. Four times what the writer lets wait. */
const MOST_HELD = 262_144;

/**
 * Finds streams by name beside the writer: in the index of names, and among those that may not be indexed yet, which are
 * read into memory when a name is not found elsewhere.
 */
export class StreamLookup {
  readonly #sql: SqliteStatements;
  readonly #mostHeld: number;
  /** In the order of their numbers. */
  readonly #held = new Map<string, number>();
  /** The stream up to which all are held or indexed. */
  #last = 0;

  constructor(database: Database.Database, mostHeld = MOST_HELD) {
    this.#sql = new SqliteStatements(database);
    this.#mostHeld = mostHeld;
  }

  /** The number of a stream; undefined where there is none of that name. */
  find(name: string): number | undefined {
    const known = this.#known(name);
    if (known !== undefined) return known;
    this.catchUp();
    return this.#known(name);
  }

  /** The numbers of streams, in the order of the names, as `find` says them one by one. */
  findAll(names: readonly string[]): readonly (number | undefined)[] {
    const unknown = names.filter((name) => !this.#held.has(name));
    const indexed = new Map<string, number>();
    const digests = JSON.stringify(unknown.map(shortDigest));
    for (const { id, name } of unknown.length === 0 ? [] : this.#sql.all(streamStatements.indexedAll, { digests }))
      if (name !== null && !indexed.has(name)) indexed.set(name, id);
    return names.map((name) => this.#held.get(name) ?? indexed.get(name) ?? this.find(name));
  }

  /** Names that begin so. Where orders' may be among them, every stream is looked at. */
  list(prefix: string): readonly string[] {
    const mayBeOrders = prefix.startsWith(ORDER_STREAM) || ORDER_STREAM.startsWith(prefix);
    return this.#sql
      .all(mayBeOrders ? streamStatements.all : streamStatements.besideOrders, { prefix })
      .map(({ name }) => name);
  }

  #known(name: string): number | undefined {
    return this.#held.get(name) ?? this.#sql.get(streamStatements.indexed, { digest: shortDigest(name), name })?.id;
  }

  /** Reads what began since the last time and may not be indexed: 150,000 names at the most, some tenths of a second. */
  catchUp(): void {
    const { up_to } = this.#sql.one(streamStatements.complete, {});
    if (this.#held.size > this.#mostHeld) this.#forget(up_to);
    // What came to be indexed meanwhile need not be held.
    this.#last = Math.max(this.#last, up_to);
    for (const { id, name } of this.#sql.iterate(streamStatements.behind, { id: this.#last })) {
      this.#held.set(name, id);
      this.#last = id;
    }
  }

  /** What is indexed is found there; the rest stays, however many there are. */
  #forget(upTo: number): void {
    for (const [name, id] of this.#held) {
      if (id > upTo) return;
      this.#held.delete(name);
    }
  }
}
