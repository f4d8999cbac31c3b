/**
 * What the stored states of a page of orders come to at the most, in characters: making it holds a thread, some tenths of a second
 * where the orders are as large as deliveries may be. 500 orders of 4 KiB are within it, several times what usual ones take.
 */
export const PAGE_BYTES = 2 * 1_048_576;

/** Whether one more still belongs to a page, which has one at the least. */
export class PageBytes {
  readonly #most: number;
  #taken = 0;
  #isEmpty = true;

  constructor(most = PAGE_BYTES) {
    this.#most = most;
  }

  /** Takes one of this size, or says that the page ends before it. */
  takes(bytes: number): boolean {
    if (!this.#isEmpty && this.#taken + bytes > this.#most) return false;
    this.#isEmpty = false;
    this.#taken += bytes;
    return true;
  }
}
