import { TermEntries } from './term-entries.ts';
import { TermFences } from './term-fences.ts';
import type { TermKind } from './term-statements.ts';

/** Numbers of one entry: term, rank, reference. */
const WIDTH = 3;

/** Room grows by half: a build holds eight of these, and takes each when it has somewhat more than 262,144 entries. */
const GROWTH = 1.5;

/** Bytes of a block at the most: it fills a page. */
const BLOCK_BYTES = 4_000;

/** Entries sorted by term and rank, in blocks. `fences`: the bytes of its TermFences. */
export type TermRun = {
  readonly size: number;
  readonly fences: Uint8Array;
  readonly blocks: readonly Uint8Array[];
};

const DIGITS = 65_536;
const HIGH = 0x1_0000_0000;

/** The order of entries by one 16-bit digit of their terms, from an order by the digits below it: a pass of a radix sort. */
const byDigit = (digits: Uint16Array, order: Uint32Array): Uint32Array => {
  const starts = new Uint32Array(DIGITS + 1);
  for (const digit of digits) starts[digit + 1] = (starts[digit + 1] ?? 0) + 1;
  for (let digit = 0; digit < DIGITS; digit += 1) starts[digit + 1] = (starts[digit + 1] ?? 0) + (starts[digit] ?? 0);
  const sorted = new Uint32Array(order.length);
  for (const entry of order) {
    const digit = digits[entry] ?? 0;
    const place = starts[digit] ?? 0;
    sorted[place] = entry;
    starts[digit] = place + 1;
  }
  return sorted;
};

/** The 16-bit digits of the terms, the lowest first. */
const digitsOf = (entries: Float64Array): readonly Uint16Array[] => {
  const count = entries.length / WIDTH;
  const [low, middle, high] = [new Uint16Array(count), new Uint16Array(count), new Uint16Array(count)];
  for (let entry = 0; entry < count; entry += 1) {
    const term = entries[entry * WIDTH] ?? 0;
    const upper = Math.floor(term / HIGH);
    const lower = (term - upper * HIGH) >>> 0;
    low[entry] = lower;
    middle[entry] = lower >>> 16;
    high[entry] = upper;
  }
  return [low, middle, high];
};

/** Entries of one term are few, or came nearly sorted: they are put in the order of their ranks where they are not. */
const sortRuns = (entries: Float64Array, order: Uint32Array): void => {
  const term = (place: number): number => entries[(order[place] ?? 0) * WIDTH] ?? 0;
  const rank = (entry: number): number => entries[entry * WIDTH + 1] ?? 0;
  for (let from = 0; from < order.length;) {
    let until = from + 1;
    while (until < order.length && term(until) === term(from)) until += 1;
    if (until - from > 1) order.subarray(from, until).sort((a, b) => rank(a) - rank(b));
    from = until;
  }
};

/** Gathers entries, and gives them back as one sorted run. */
export class TermSegment {
  readonly #layout: TermEntries;
  #entries = new Float64Array(1_024 * WIDTH);
  #used = 0;

  constructor(kind: TermKind) {
    this.#layout = new TermEntries(kind);
  }

  get size(): number {
    return this.#used / WIDTH;
  }

  readonly add = (term: number, rank: number, ref: number): void => {
    if (this.#used === this.#entries.length) {
      const larger = new Float64Array(Math.ceil(this.size * GROWTH) * WIDTH);
      larger.set(this.#entries);
      this.#entries = larger;
    }
    this.#entries[this.#used] = term;
    this.#entries[this.#used + 1] = rank;
    this.#entries[this.#used + 2] = ref;
    this.#used += WIDTH;
  };

  clear(): void {
    this.#used = 0;
  }

  /** What was gathered so far, sorted; nothing is left behind. */
  take(): TermRun {
    const entries = this.#entries.subarray(0, this.#used);
    const order = this.#sorted(entries);
    const numberAt = (entry: number, part: number): number => entries[entry * WIDTH + part] ?? 0;
    const ofABlock = Math.floor(BLOCK_BYTES / this.#layout.width);
    // All in one piece, which goes to another thread at once.
    const bytes = Buffer.alloc(order.length * this.#layout.width);
    const blocks: Uint8Array[] = [];
    const firsts: { readonly term: number; readonly rank: number }[] = [];
    for (let from = 0; from < order.length; from += ofABlock) {
      const places = order.subarray(from, from + ofABlock);
      const begin = from * this.#layout.width;
      let at = begin;
      for (const entry of places) {
        this.#layout.write(bytes, numberAt(entry, 0), numberAt(entry, 1), numberAt(entry, 2), at);
        at += this.#layout.width;
      }
      const [first = 0] = places;
      firsts.push({ term: numberAt(first, 0), rank: numberAt(first, 1) });
      blocks.push(bytes.subarray(begin, at));
    }
    const size = this.size;
    this.#used = 0;
    return { size, fences: TermFences.of(firsts), blocks };
  }

  /** The places of entries in their order. */
  #sorted(entries: Float64Array): Uint32Array {
    let order: Uint32Array = new Uint32Array(this.size);
    for (let entry = 0; entry < order.length; entry += 1) order[entry] = entry;
    if (order.length < FEW) {
      const of = (entry: number, part: number): number => entries[entry * WIDTH + part] ?? 0;
      return order.sort((a, b) => (of(a, 0) === of(b, 0) ? of(a, 1) - of(b, 1) : of(a, 0) - of(b, 0)));
    }
    for (const digits of digitsOf(entries)) order = byDigit(digits, order);
    sortRuns(entries, order);
    return order;
  }
}

/** Fewer entries than these are sorted by comparing them, since each digit costs as much as so many entries. */
const FEW = 1_024;
