import TinyQueue from 'tinyqueue';
import { compareTexts } from './text-order.ts';

/** Where a row stands in lists of orders. */
export type ListedRow = { readonly no: number; readonly createdAt: string; readonly orderId: string };

/** Rows in the order of lists, some of them at a time: those behind a place, null being the start. */
export type RowSource = (after: ListedRow | null, most: number) => readonly ListedRow[];

/** Rows in the order of lists, and about how many there are in all. */
export type SizedSource = { readonly rows: RowSource; readonly size: number };

/** Rows that a source is first asked for, where there are several and their sizes are not known; most are asked once. */
export const FIRST_READ = 8;

/** More sources than these are asked for one row each, since few of them have a second one in the list. */
const MANY = 40;

/** What a source is first asked for beyond its share of a page, which it seldom has to the row. */
const [MORE_TIMES, MORE_ROWS] = [1.25, 2];

/** How many rows a source is first asked for, of which about so many are among those of all sources together. */
export const firstRead = (size: number, all: number, most: number): number =>
  Math.min(most, Math.ceil((MORE_TIMES * most * size) / Math.max(1, all)) + MORE_ROWS);

/** Negative where `a` comes first: the later creation, then the greater order id. */
export const inListOrder = (a: ListedRow, b: ListedRow): number => {
  if (a.createdAt !== b.createdAt) return a.createdAt > b.createdAt ? -1 : 1;
  return compareTexts(b.orderId, a.orderId);
};

/** Rows of a source that are read some at a time. */
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

  /** The next row, while there is one. */
  next(): ListedRow | undefined {
    const last = this.#rows.at(-1);
    if (this.#at === this.#rows.length && last !== undefined && this.#rows.length === this.#read) {
      this.#read = Math.min(this.#read * 4, this.#most);
      this.#rows = this.#source(last, this.#read);
      this.#at = 0;
    }
    const row = this.#rows[this.#at];
    this.#at += 1;
    return row;
  }
}

/** A reading, and the row of it that is next in the list. */
type Head = { readonly row: ListedRow; readonly reading: Reading };

const headOf = (reading: Reading): Head | null => {
  const row = reading.next();
  return row === undefined ? null : { row, reading };
};

/**
 * The first rows of many sorted sources, in the order of lists. Each source is an index range of its own, so that what is
 * read is a few rows of each and what is answered, however many there are behind them.
 */
export const newestFirst = (
  sources: readonly RowSource[],
  after: ListedRow | null,
  most: number,
): readonly ListedRow[] => {
  const first = sources.length === 1 ? most : sources.length > MANY ? 1 : FIRST_READ;
  return merged(
    sources.map((source) => new Reading(source, after, first, most)),
    most,
  );
};

/** The same, where each source is first asked for about as many rows as it is likely to have among them. */
export const newestOfSized = (
  sources: readonly SizedSource[],
  after: ListedRow | null,
  most: number,
): readonly ListedRow[] => {
  const all = sources.reduce((sum, { size }) => sum + size, 0);
  const first = ({ size }: SizedSource): number => firstRead(size, all, most);
  return merged(
    sources.map((source) => new Reading(source.rows, after, sources.length === 1 ? most : first(source), most)),
    most,
  );
};

const merged = (readings: readonly Reading[], most: number): readonly ListedRow[] => {
  const heads = new TinyQueue(
    readings.map(headOf).filter((head) => head !== null),
    (a, b) => inListOrder(a.row, b.row),
  );
  const rows: ListedRow[] = [];
  for (let head = heads.pop(); head !== undefined; head = heads.pop()) {
    rows.push(head.row);
    // Nothing is read behind the last row that is asked for.
    if (rows.length >= most) break;
    const next = headOf(head.reading);
    if (next !== null) heads.push(next);
  }
  return rows;
};
