import { compareTexts } from './text-order.ts';

/** Where a row stands in lists of orders. */
export type ListedRow = { readonly no: number; readonly createdAt: string; readonly orderId: string };

/** Rows in the order of lists, some of them at a time: those behind a place, null being the start. */
export type RowSource = (after: ListedRow | null, most: number) => readonly ListedRow[];

/** Rows that a source is first asked for, where there are several; most are asked once. */
export const FIRST_READ = 8;

/** More sources than these are asked for one row each, since few of them have a second one in the list. */
const MANY = 40;

/** Negative where `a` comes first: the later creation, then the greater order id. */
const compareRows = (a: ListedRow, b: ListedRow): number => {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  return compareTexts(b.orderId, a.orderId);
};

class Reading {
  readonly #source: RowSource;
  readonly #most: number;
  #rows: readonly ListedRow[];
  #at = 0;
  #read: number;

  constructor(source: RowSource, after: ListedRow | null, first: number, most: number) {
    this.#source = source;
    this.#most = most;
    this.#read = Math.min(first, most);
    this.#rows = source(after, this.#read);
  }

  get head(): ListedRow | undefined {
    return this.#rows[this.#at];
  }

  next(): void {
    const last = this.head;
    this.#at += 1;
    if (this.#at < this.#rows.length || last === undefined || this.#rows.length < this.#read) return;
    this.#read = Math.min(this.#read * 4, this.#most);
    this.#rows = this.#source(last, this.#read);
    this.#at = 0;
  }
}

/** A binary heap of readings, the one whose head comes first on top. */
class Heap {
  readonly #readings: Reading[] = [];

  get top(): Reading | undefined {
    return this.#readings[0];
  }

  push(reading: Reading): void {
    this.#readings.push(reading);
    for (let at = this.#readings.length - 1; at > 0;) {
      const parent = (at - 1) >>> 1;
      if (!this.#swapIfBefore(at, parent)) return;
      at = parent;
    }
  }

  /** Puts the top where it belongs after it moved on; a finished one goes. */
  settle(): void {
    if (this.top?.head === undefined) {
      const last = this.#readings.pop();
      if (last === undefined || this.#readings.length === 0) return;
      this.#readings[0] = last;
    }
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const least = this.#isBefore(right, left) ? right : left;
      if (!this.#swapIfBefore(least, at)) return;
      at = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    const [one, other] = [this.#readings[a]?.head, this.#readings[b]?.head];
    return one !== undefined && (other === undefined || compareRows(one, other) < 0);
  }

  #swapIfBefore(a: number, b: number): boolean {
    const [one, other] = [this.#readings[a], this.#readings[b]];
    if (one === undefined || other === undefined || !this.#isBefore(a, b)) return false;
    [this.#readings[a], this.#readings[b]] = [other, one];
    return true;
  }
}

/**
 * The first rows of many sorted sources, in the order of lists. Each source is an index range of its own, so that what is
 * read is a few rows of each and what is answered, however many there are behind them.
 */
export const newestFirst = (
  sources: readonly RowSource[],
  after: ListedRow | null,
  most: number,
): readonly ListedRow[] => {
  const heap = new Heap();
  const first = sources.length === 1 ? most : sources.length > MANY ? 1 : FIRST_READ;
  for (const source of sources) {
    const reading = new Reading(source, after, first, most);
    if (reading.head !== undefined) heap.push(reading);
  }
  const rows: ListedRow[] = [];
  for (let { top } = heap; top?.head !== undefined; { top } = heap) {
    rows.push(top.head);
    // Nothing is read behind the last row that is asked for.
    if (rows.length >= most) break;
    top.next();
    heap.settle();
  }
  return rows;
};
