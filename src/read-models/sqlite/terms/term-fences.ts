const TERM_BYTES = 6;
const RANK_BYTES = 8;
const FENCE_BYTES = TERM_BYTES + RANK_BYTES;

/** The first entry of each block of a run: what says in which block a term is. */
export class TermFences {
  readonly #bytes: Buffer;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  static of(firsts: readonly { readonly term: number; readonly rank: number }[]): Buffer {
    const bytes = Buffer.alloc(firsts.length * FENCE_BYTES);
    for (const [i, { term, rank }] of firsts.entries()) {
      bytes.writeUIntBE(term, i * FENCE_BYTES, TERM_BYTES);
      bytes.writeDoubleBE(rank, i * FENCE_BYTES + TERM_BYTES);
    }
    return bytes;
  }

  get blocks(): number {
    return this.#bytes.length / FENCE_BYTES;
  }

  /** The last block, from 0, that begins before a term's entries of this rank; the first where none does. */
  blockBefore(term: number, rank: number): number {
    let [low, high] = [0, this.blocks];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const its = this.termOf(middle);
      const isBefore = its < term || (its === term && this.#rankOf(middle) < rank);
      if (isBefore) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  /** The first term of a block. */
  termOf(block: number): number {
    return this.#bytes.readUIntBE(block * FENCE_BYTES, TERM_BYTES);
  }

  #rankOf(block: number): number {
    return this.#bytes.readDoubleBE(block * FENCE_BYTES + TERM_BYTES);
  }
}
