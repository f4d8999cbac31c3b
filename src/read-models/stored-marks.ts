import { ChunkMarks, isBounded, type AuditChunk } from './audit-chunk.ts';
import type { LoadedMarks } from './loaded-marks.ts';

/** A chunk of the trail, as far as it is looked at. `held`: 1 where a mark of the log was the same. */
type StoredChunk = { readonly marks: ChunkMarks; readonly count: number; readonly held: Uint8Array };

/** Marks of the trail as they are stored; those of the log are held to them piece by piece, in any order of the pieces. */
export class StoredMarks {
  readonly #chunks: StoredChunk[] = [];
  readonly #unbounded: number[] = [];
  #isRight = true;
  #left = 0;

  /**
   * @param chunks in the order of their positions
   * @param last marks behind this position are left out
   */
  constructor(chunks: Iterable<AuditChunk>, last: number) {
    let before = -1;
    for (const chunk of chunks) {
      const marks = new ChunkMarks(chunk);
      if (!isBounded(chunk, marks)) this.#unbounded.push(chunk.firstPosition);
      let count = 0;
      for (let place = 0; place < marks.count; place += 1) {
        const position = marks.positionAt(place);
        // What is not in order can't be searched: such marks are compared one by one.
        if (!(position > before)) this.#isRight = false;
        before = position;
        if (position <= last) count += 1;
      }
      this.#left += count;
      if (count > 0) this.#chunks.push({ marks, count, held: new Uint8Array(count) });
    }
  }

  /** Where chunks begin of which a row says other bounds than its marks have, so that a search would pass them over. */
  get unbounded(): readonly number[] {
    return this.#unbounded;
  }

  /** Compares some marks of the log, which are in the order of their positions. */
  hold({ positions, received, types, names }: LoadedMarks): void {
    let at = this.#chunkOf(positions[0] ?? 0);
    let [chunk, place] = [this.#chunks[at], 0];
    for (let i = 0; i < positions.length && this.#isRight; i += 1) {
      const position = positions[i] ?? NaN;
      while (chunk !== undefined && (place >= chunk.count || chunk.marks.positionAt(place) < position)) {
        place += 1;
        if (place >= chunk.count) [at, chunk, place] = [at + 1, this.#chunks[at + 1], 0];
      }
      if (chunk === undefined || !isHeld(chunk, place, position, received[i] ?? NaN, names[types[i] ?? 0] ?? '')) {
        this.#isRight = false;
        return;
      }
      chunk.held[place] = 1;
      this.#left -= 1;
    }
  }

  /** Whether every mark of the log was the same as a stored one, and none of these is left over. */
  get areAllHeld(): boolean {
    return this.#isRight && this.#left === 0;
  }

  /** The last chunk that begins at a position or before it. */
  #chunkOf(position: number): number {
    let [from, to] = [0, this.#chunks.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#chunks[middle]?.marks.positionAt(0) ?? 0) <= position) from = middle + 1;
      else to = middle;
    }
    return Math.max(0, from - 1);
  }
}

/** Whether a stored mark that no mark of the log was the same as before is this one. */
const isHeld = (
  { marks, held }: StoredChunk,
  place: number,
  position: number,
  received: number,
  type: string,
): boolean =>
  held[place] === 0 &&
  marks.positionAt(place) === position &&
  Object.is(marks.receivedAt(place), received) &&
  (marks.types[marks.typeAt(place)] ?? '') === type;
