import type Database from 'better-sqlite3';
import { ORDER_STREAM } from '../../domain/ids.ts';
import { shortDigest } from '../../domain/short-digest.ts';
import {
  indexedStream,
  namesBesideOrders,
  namesComplete,
  namesOfAll,
  streamsBehind,
  type NumberedStream,
} from './stream-tables.ts';

/** Names held in memory; then those that came to be indexed are forgotten. Twice what the writer leaves without index. */
const MOST_HELD = 262_144;

/** Finds streams by name beside the writer: among those that may not be indexed yet, which it holds in memory, and in the index. */
export class StreamLookup {
  readonly #behind: Database.Statement<[number], NumberedStream>;
  readonly #complete: Database.Statement<[], number>;
  readonly #indexed: Database.Statement<[number, string], number>;
  readonly #besideOrders: Database.Statement<[string, string], string>;
  readonly #all: Database.Statement<[string, string], string>;
  readonly #held = new Map<string, number>();
  /** The last stream that is held, or was when there was none behind the index; null before the first look. */
  #last: number | null = null;

  constructor(database: Database.Database) {
    this.#behind = streamsBehind(database);
    this.#complete = namesComplete(database);
    this.#indexed = indexedStream(database);
    this.#besideOrders = namesBesideOrders(database);
    this.#all = namesOfAll(database);
  }

  /** The number of a stream; undefined where there is none of that name. */
  find(name: string): number | undefined {
    const known = this.#known(name);
    if (known !== undefined) return known;
    this.#catchUp();
    return this.#known(name);
  }

  /** Names that begin so. Where orders' may be among them, every stream is looked at. */
  list(prefix: string): readonly string[] {
    const mayBeOrders = prefix.startsWith(ORDER_STREAM) || ORDER_STREAM.startsWith(prefix);
    return (mayBeOrders ? this.#all : this.#besideOrders).all(prefix, prefix);
  }

  #known(name: string): number | undefined {
    return this.#held.get(name) ?? this.#indexed.get(shortDigest(name), name);
  }

  #catchUp(): void {
    if (this.#held.size > MOST_HELD) {
      this.#held.clear();
      this.#last = null;
    }
    this.#last ??= this.#complete.get() ?? 0;
    for (const { id, name } of this.#behind.iterate(this.#last)) {
      this.#held.set(name, id);
      this.#last = id;
    }
  }
}
