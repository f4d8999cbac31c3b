/** A digest as it goes from thread to thread. */
export type TermDigestData = { readonly entries: number; readonly low: number; readonly high: number };

/** A digest over terms and what they lead to, in any order: their number, and a sum of what each comes to. */
export class TermDigest {
  #entries = 0;
  #low = 0;
  #high = 0;

  add(term: number, ref: number): void {
    this.#entries += 1;
    // Products of odd factors spread what would cancel out in plain sums.
    const mixed = Math.imul(term | 0, 0x9e3779b1) ^ Math.imul(Math.floor(term / 0x1_0000_0000) | 0, 0x85ebca6b);
    this.#low = (this.#low + Math.imul(mixed ^ (ref | 0), 0xc2b2ae35)) | 0;
    this.#high = (this.#high + Math.imul(mixed + 0x27d4eb2f, ref | 1)) | 0;
  }

  /** Adds what others were digested to. */
  addAll({ entries, low, high }: TermDigestData): void {
    this.#entries += entries;
    this.#low = (this.#low + low) | 0;
    this.#high = (this.#high + high) | 0;
  }

  get data(): TermDigestData {
    return { entries: this.#entries, low: this.#low, high: this.#high };
  }

  equals({ entries, low, high }: TermDigestData): boolean {
    return this.#entries === entries && this.#low === low && this.#high === high;
  }
}
