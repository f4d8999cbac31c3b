/** So many bits for each entry: one in sixteen terms that are not there is looked for all the same. */
const BITS_PER_ENTRY = 16;
const FEWEST_BITS = 1_024;

/**
 * What a run of an index has surely not, in memory: a bit for each entry. Who looks for many terms of which few are there
 * asks it first. It takes 2 to 4 bytes for each entry.
 */
export class TermFilter {
  readonly #bits: Uint8Array;
  readonly #size: number;

  /** @param entries how many will be added */
  constructor(entries: number) {
    this.#size = Math.max(FEWEST_BITS, 2 ** Math.ceil(Math.log2(entries * BITS_PER_ENTRY)));
    this.#bits = new Uint8Array(this.#size / 8);
  }

  readonly add = (term: number): void => {
    const bit = term % this.#size;
    const at = bit >>> 3;
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (bit & 7));
  };

  mayHave(term: number): boolean {
    const bit = term % this.#size;
    return ((this.#bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  }
}
