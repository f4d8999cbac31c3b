/**
 * What is still the oldest without an answer at so many looks in a row waits for something that hangs. Looks are counted, not
 * the time: where this thread stood still, stopped by a signal say, an answer may have come that was not read yet.
 */
const SILENT_AFTER_LOOKS = 5;

/** Between two looks. */
export const LOOK_EVERY_MS = 1_000;

/** Whether someone who answers in order has given no answer for some seconds. */
export class Silence {
  #seen: object | undefined;
  /** For how many looks the oldest has had no answer. */
  #looks = 0;
  readonly #afterLooks: number;

  /** @param afterLooks how many looks in a row make a silence, where it is not as with disks */
  constructor(afterLooks = SILENT_AFTER_LOOKS) {
    this.#afterLooks = afterLooks;
  }

  /** How long it lasts, in seconds; null where there is none. */
  get seconds(): number | null {
    return this.#looks < this.#afterLooks ? null : (this.#looks * LOOK_EVERY_MS) / 1_000;
  }

  /**
   * Done once a second.
   *
   * @param oldest what has had no answer for longest; undefined where nothing waits
   * @returns whether it begins with this look
   */
  look(oldest: object | undefined): boolean {
    this.#looks = oldest !== undefined && oldest === this.#seen ? this.#looks + 1 : 0;
    this.#seen = oldest;
    return this.#looks === this.#afterLooks;
  }

  /**
   * An answer came, whatever it is.
   *
   * @returns how long the silence lasted that it ends, in seconds; null where there was none
   */
  answered(): number | null {
    const { seconds } = this;
    this.#looks = 0;
    this.#seen = undefined;
    return seconds;
  }
}
