import { TermEntries } from './term-entries.ts';
import { TermFences } from './term-fences.ts';
import type { TermKind } from './term-statements.ts';

/** Numbers of one entry: term, rank and reference; or term and reference, where that is the rank too. */
type Width = 2 | 3;

/** Entries that there is room for from the beginning. */
const FIRST_ROOM = 1_024;

/** Room grows by half: a build holds eight of these, and takes each when it has somewhat more than 262,144 entries. */
const GROWTH = 1.5;

/** Bytes of a block at the most: it fills a page. */
export const BLOCK_BYTES = 4_000;

/** Entries sorted by term and rank, in blocks. `fences`: the bytes of its TermFences. */
export type TermRun = {
  readonly size: number;
  readonly fences: Uint8Array;
  readonly blocks: readonly Uint8Array[];
};

/** Terms are below 2^48, and spread evenly: their high bits put them into buckets of some entries each. */
const TERM_BITS = 48;
const MOST_BUCKET_BITS = 16;

/** A longer bucket is of terms that many orders share; it is sorted by comparing its entries through their places. */
const FEW = 32;

/** Sorts the entries from one place to another, which are few, by putting each where it belongs among those before it. */
const sortFew = (entries: Float64Array, width: Width, from: number, until: number): void => {
  for (let next = from + width; next < until; next += width) {
    const term = entries[next] ?? 0;
    const rank = entries[next + 1] ?? 0;
    const ref = entries[next + 2] ?? 0;
    let at = next;
    for (; at > from; at -= width) {
      const before = entries[at - width] ?? 0;
      if (before < term || (before === term && (entries[at - width + 1] ?? 0) <= rank)) break;
      entries[at] = before;
      entries[at + 1] = entries[at - width + 1] ?? 0;
      if (width === 3) entries[at + 2] = entries[at - width + 2] ?? 0;
    }
    entries[at] = term;
    entries[at + 1] = rank;
    if (width === 3) entries[at + 2] = ref;
  }
};

/** Sorts the entries from one place to another. */
const sortMany = (entries: Float64Array, width: Width, from: number, until: number): void => {
  const unsorted = entries.slice(from, until);
  const order = Uint32Array.from({ length: unsorted.length / width }, (_, entry) => entry * width);
  const at = (place: number): number => unsorted[place] ?? 0;
  order.sort((a, b) => (at(a) === at(b) ? at(a + 1) - at(b + 1) : at(a) - at(b)));
  for (const [i, place] of order.entries()) entries.set(unsorted.subarray(place, place + width), from + i * width);
};

/** The entries by term and rank, those of equal ones as they came. */
const sorted = (entries: Float64Array, width: Width): Float64Array => {
  const count = entries.length / width;
  const bits = Math.min(MOST_BUCKET_BITS, Math.ceil(Math.log2(count + 1)));
  const ofABucket = 2 ** (TERM_BITS - bits);
  const starts = new Uint32Array(2 ** bits + 1);
  for (let at = 0; at < entries.length; at += width) {
    const bucket = Math.floor((entries[at] ?? 0) / ofABucket);
    starts[bucket + 1] = (starts[bucket + 1] ?? 0) + width;
  }
  for (let bucket = 1; bucket < starts.length; bucket += 1) {
    starts[bucket] = (starts[bucket] ?? 0) + (starts[bucket - 1] ?? 0);
  }
  const ends = starts.slice();
  const dealt = new Float64Array(entries.length);
  for (let at = 0; at < entries.length; at += width) {
    const bucket = Math.floor((entries[at] ?? 0) / ofABucket);
    const place = ends[bucket] ?? 0;
    dealt[place] = entries[at] ?? 0;
    dealt[place + 1] = entries[at + 1] ?? 0;
    if (width === 3) dealt[place + 2] = entries[at + 2] ?? 0;
    ends[bucket] = place + width;
  }
  for (let bucket = 0; bucket + 1 < starts.length; bucket += 1) {
    const from = starts[bucket] ?? 0;
    const until = starts[bucket + 1] ?? 0;
    if (until - from > FEW * width) sortMany(dealt, width, from, until);
    else sortFew(dealt, width, from, until);
  }
  return dealt;
};

/** Gathers entries, and gives them back as one sorted run. */
export class TermSegment {
  readonly #layout: TermEntries;
  readonly #width: Width;
  #entries: Float64Array;
  #used = 0;

  constructor(kind: TermKind) {
    this.#layout = new TermEntries(kind);
    this.#width = this.#layout.isRanked ? 3 : 2;
    this.#entries = new Float64Array(FIRST_ROOM * this.#width);
  }

  get size(): number {
    return this.#used / this.#width;
  }

  readonly add = (term: number, rank: number, ref: number): void => {
    if (this.#used === this.#entries.length) {
      const larger = new Float64Array(Math.ceil(this.size * GROWTH) * this.#width);
      larger.set(this.#entries);
      this.#entries = larger;
    }
    const width = this.#width;
    this.#entries[this.#used] = term;
    if (width === 3) this.#entries[this.#used + 1] = rank;
    this.#entries[this.#used + width - 1] = ref;
    this.#used += width;
  };

  clear(): void {
    this.#used = 0;
  }

  /** What was gathered so far, sorted; nothing is left behind. */
  take(): TermRun {
    const size = this.size;
    const entries = sorted(this.#entries.subarray(0, this.#used), this.#width);
    const { width } = this.#layout;
    const ofABlock = Math.floor(BLOCK_BYTES / width);
    // All in one piece, which goes to another thread at once.
    const bytes = Buffer.alloc(size * width);
    const blocks: Uint8Array[] = [];
    const firsts: { readonly term: number; readonly rank: number }[] = [];
    for (let entry = 0; entry < size; entry += 1) {
      const at = entry * this.#width;
      const term = entries[at] ?? 0;
      const rank = entries[at + 1] ?? 0;
      if (entry % ofABlock === 0) {
        firsts.push({ term, rank });
        blocks.push(bytes.subarray(entry * width, Math.min(entry + ofABlock, size) * width));
      }
      this.#layout.write(bytes, term, rank, entries[at + this.#width - 1] ?? 0, entry * width);
    }
    this.#used = 0;
    return { size, fences: TermFences.of(firsts), blocks };
  }
}
