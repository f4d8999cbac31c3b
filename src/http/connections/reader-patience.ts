/** What a reader of a stream must take: it may pause for so long, and take less than the rate for as long as that sums to. */
export type ReaderPace = {
  readonly patienceMs: number;
  readonly bytesPerSecond: number;
};

const SECOND_MS = 1_000;

/**
 * How much longer a reader is waited for. Waiting takes from it, and what the reader takes gives back at the rate, so that
 * one who takes a little now and then is as slow as one who takes nothing.
 */
export class ReaderPatience {
  readonly #pace: ReaderPace;
  #leftMs: number;

  constructor(pace: ReaderPace) {
    this.#pace = pace;
    this.#leftMs = pace.patienceMs;
  }

  /** How long it may be waited for now, in ms. */
  get leftMs(): number {
    return this.#leftMs;
  }

  took(bytes: number): void {
    const { patienceMs, bytesPerSecond } = this.#pace;
    this.#leftMs = Math.min(patienceMs, this.#leftMs + (bytes / bytesPerSecond) * SECOND_MS);
  }

  waited(ms: number): void {
    this.#leftMs = Math.max(0, this.#leftMs - ms);
  }
}
