/** Of terms that are not there, one in 85 is looked for all the same. */
const BITS_PER_ENTRY = 10;
const PROBES = 4;
const FEWEST_BITS = 1_024;

const WORD = 0x1_0000_0000;
/** Terms have 48 bits: their lower 32 say where the first probe is, their upper 32 how far it is from one to the next. */
const UPPER = 0x1_0000;

/** What a run of an index has surely not, in memory. It takes 1.25 bytes for each entry. */
export class TermFilter {
  readonly #bits: Uint8Array;
  readonly #size: number;

  /** @param entries how many will be added */
  constructor(entries: number) {
    this.#size = Math.max(FEWEST_BITS, entries * BITS_PER_ENTRY);
    this.#bits = new Uint8Array(Math.ceil(this.#size / 8));
  }

  readonly add = (term: number): void => {
    const step = (Math.floor(term / UPPER) | 1) >>> 0;
    let place = (term % WORD) >>> 0;
    for (let probe = 0; probe < PROBES; probe += 1) {
      const bit = place % this.#size;
      const at = bit >>> 3;
      this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (bit & 7));
      place = (place + step) >>> 0;
    }
  };

  mayHave(term: number): boolean {
    const step = (Math.floor(term / UPPER) | 1) >>> 0;
    let place = (term % WORD) >>> 0;
    for (let probe = 0; probe < PROBES; probe += 1) {
      const bit = place % this.#size;
      if (((this.#bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
      place = (place + step) >>> 0;
    }
    return true;
  }
}
