/** Chunks that any body may come in, and the bytes of each further one, on average: every HTTP client sends larger ones. */
const OF_ANY_BODY = 64;
const BYTES_OF_ONE = 256;

/** Smaller ones that all bodies may come in together at once, and how many more each millisecond: some 3% of the thread. */
const MOST_AT_ONCE = 8_192;
const MORE_EACH_MS = 16;

/** What may be a line of a file has so many bytes: three thousand of them are in one read, of one byte eleven thousand. */
export const BYTES_OF_LINE = 16;

const isFree = (chunks: number, bytes: number): boolean => chunks <= OF_ANY_BODY + bytes / BYTES_OF_ONE;

/**
 * Says how many chunks a body may come in. Each costs the thread two microseconds, whether it has one byte or 16 KB, so
 * that a request of 1.6 MB in chunks of one byte held it for 0.4 s. A body in large chunks may have any number of them, and
 * one in small chunks as many as nobody else's small chunks have used up.
 */
export class SmallChunks {
  readonly #now: () => number;
  #left = MOST_AT_ONCE;
  #sinceMs: number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
    this.#sinceMs = now();
  }

  /** Whether a body may have one more chunk, which is the last of so many that hold so many bytes together. */
  mayHave(chunks: number, bytes: number): boolean {
    if (isFree(chunks, bytes)) return true;
    this.#refill();
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** Takes one for a chunk that came, whether there is any or not; see `owedMs`. */
  take(chunks: number, bytes: number): void {
    if (!isFree(chunks, bytes)) this.#left -= 1;
  }

  /** How long it is until as many have come again as were taken beyond what there was. */
  owedMs(): number {
    this.#refill();
    return Math.max(0, -this.#left / MORE_EACH_MS);
  }

  #refill(): void {
    const nowMs = this.#now();
    this.#left = Math.min(MOST_AT_ONCE, this.#left + (nowMs - this.#sinceMs) * MORE_EACH_MS);
    this.#sinceMs = nowMs;
  }
}
