import { branded } from '../../domain/brand.ts';
import type { LineId } from '../../domain/statement-line.ts';

/** Bytes of an id. */
const ID = 32;

/** The ids of the lines of a file, in few bytes each: as texts those of some hundred thousand lines were most of what an import took. */
export class PackedIds {
  readonly #bytes: Buffer;
  #length = 0;

  /** @param most how many there will be */
  constructor(most: number) {
    this.#bytes = Buffer.alloc(most * ID);
  }

  get length(): number {
    return this.#length;
  }

  push(id: LineId): void {
    this.#bytes.write(id, this.#length * ID, 'hex');
    this.#length += 1;
  }

  /** The ids from one to before another, as far as there are any. */
  slice(from: number, to: number): readonly LineId[] {
    const ids: LineId[] = [];
    for (let at = from; at < Math.min(to, this.#length); at += 1)
      ids.push(branded<LineId>(this.#bytes.toString('hex', at * ID, (at + 1) * ID)));
    return ids;
  }

  *[Symbol.iterator](): Generator<LineId, void> {
    for (let at = 0; at < this.#length; at += 1) yield* this.slice(at, at + 1);
  }
}
