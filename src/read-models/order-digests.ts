/** Digests of orders as they go from thread to thread: those of orders whose numbers follow each other in one array. */
export type OrderDigestData = ReadonlyMap<number, Int32Array>;

/** Numbers follow each other within a task of a build, and behind it; between tasks are wide gaps. */
const ORDERS_OF_A_PAGE = 256;

/** The finish of MurmurHash3: every bit of what was put in changes about half of them. */
const spread = (hash: number): number => {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return twice ^ (twice >>> 16);
};

const highOf = (number: number): number => Math.floor(number / 0x1_0000_0000);

/** For each order, by its number, one digest over whatever it is found by, in any order: 32 bits, 0 for nothing. */
export class OrderDigests {
  readonly #pages = new Map<number, Int32Array>();
  /** That which was added to last: orders that follow each other share one. */
  #last: readonly [page: number, sums: Int32Array] = [-1, new Int32Array()];

  /**
   * Adds an entry of one order.
   *
   * @param seed of the index that it stands in
   */
  add(no: number, seed: number, term: number, rank: number): void {
    const ofTerm = spread(seed ^ Math.imul(term | 0, 0x9e3779b1) ^ Math.imul(highOf(term), 0x27d4eb2f));
    this.#add(no, spread(ofTerm ^ Math.imul(rank | 0, 0x165667b1) ^ Math.imul(highOf(rank), 0x2545f491)));
  }

  /** Adds what others have gathered. */
  addAll(data: OrderDigestData): void {
    for (const [page, sums] of data) {
      for (const [i, sum] of sums.entries()) if (sum !== 0) this.#add(page * ORDERS_OF_A_PAGE + i, sum);
    }
  }

  get data(): OrderDigestData {
    return this.#pages;
  }

  /** The numbers of orders that have another digest there, in no order. */
  *differing(other: OrderDigests): Generator<number, void> {
    for (const page of new Set([...this.#pages.keys(), ...other.#pages.keys()])) {
      const [sums, others] = [this.#pages.get(page), other.#pages.get(page)];
      for (let i = 0; i < ORDERS_OF_A_PAGE; i += 1) {
        if ((sums?.[i] ?? 0) !== (others?.[i] ?? 0)) yield page * ORDERS_OF_A_PAGE + i;
      }
    }
  }

  #add(no: number, digest: number): void {
    const page = Math.floor(no / ORDERS_OF_A_PAGE);
    if (this.#last[0] !== page) this.#last = [page, this.#pageOf(page)];
    const sums = this.#last[1];
    const at = no - page * ORDERS_OF_A_PAGE;
    sums[at] = (sums[at] ?? 0) + digest;
  }

  #pageOf(page: number): Int32Array {
    const known = this.#pages.get(page);
    if (known !== undefined) return known;
    const sums = new Int32Array(ORDERS_OF_A_PAGE);
    this.#pages.set(page, sums);
    return sums;
  }
}
