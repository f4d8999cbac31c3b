import type Database from 'better-sqlite3';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import { typesOf } from '../audit-chunk.ts';
import { auditStatements } from '../statements/audit-statements.ts';

/** A chunk of the trail without its marks. */
type ChunkHead = { readonly firstPosition: number; readonly receivedFrom: number; readonly receivedTo: number };

/** What chunks are looked for by; bounds in ms, both inclusive. */
export type ChunksLookedFor = {
  readonly type: string | null;
  readonly from: number | null;
  readonly to: number | null;
  /** Behind this position. */
  readonly after: number;
};

/**
 * The heads of all chunks of the trail, in memory: a search for a rare type would look at each of thousands of rows. Some 50
 * bytes for 512 events. Chunks are only ever added, and the last one filled up.
 */
export class ChunkHeads {
  readonly #sql: SqliteStatements;
  readonly #heads: ChunkHead[] = [];
  /** The places of the chunks in `#heads` that hold a type. */
  readonly #ofType = new Map<string, number[]>();

  constructor(database: Database.Database) {
    this.#sql = new SqliteStatements(database);
  }

  /** The first positions of the chunks that may hold what is looked for, in their order. */
  *lookedFor({ type, from, to, after }: ChunksLookedFor): Generator<number, void> {
    this.#follow();
    const places = type === null ? this.#heads.keys() : (this.#ofType.get(type) ?? []);
    const begin = this.#placeOf(after);
    for (const place of places) {
      const head = place < begin ? undefined : this.#heads[place];
      if (head === undefined) continue;
      if ((from === null || head.receivedTo >= from) && (to === null || head.receivedFrom <= to))
        yield head.firstPosition;
    }
  }

  /** Reads the chunks that were added, and the last one that was known. */
  #follow(): void {
    const last = this.#heads.pop();
    const added = this.#sql.iterate(auditStatements.headsFrom, { first_position: last?.firstPosition ?? 0 });
    for (const { first_position, received_from, received_to, types } of added) {
      const place =
        this.#heads.push({
          firstPosition: first_position,
          receivedFrom: received_from,
          receivedTo: received_to,
        }) - 1;
      for (const type of typesOf(types)) this.#noteType(type, place);
    }
  }

  #noteType(type: string, place: number): void {
    const places = this.#ofType.get(type);
    if (places === undefined) this.#ofType.set(type, [place]);
    else if (places.at(-1) !== place) places.push(place);
  }

  /** The place of the chunk that may hold a position, 0 where none begins before it. */
  #placeOf(position: number): number {
    let [low, high] = [0, this.#heads.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#heads[middle]?.firstPosition ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}
