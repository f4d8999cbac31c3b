import type { TermKind } from './term-statements.ts';

/** One thing that a term finds. `rank` orders them, the least first. */
export type TermEntry = { readonly rank: number; readonly ref: number };

const HIGH = 0x1_0000_0000_0000;
/** Ranks of orders are milliseconds, and may be negative. */
const RANK_OFFSET = 0x10_0000_0000_0000;

const TERM_BYTES = 6;
const NUMBER_BYTES = 7;

const WORD = 0x1_0000_0000;

const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;

/** Whole numbers below 2^48, the high byte first. */
const writeSix = (bytes: Uint8Array, value: number, at: number): void => {
  const high = Math.floor(value / WORD);
  const low = value - high * WORD;
  bytes[at] = high >>> 8;
  bytes[at + 1] = high;
  bytes[at + 2] = low >>> 24;
  bytes[at + 3] = low >>> 16;
  bytes[at + 4] = low >>> 8;
  bytes[at + 5] = low;
};

/** Whole numbers of 0 to 2^53, the high byte first. */
const writeNumber = (bytes: Uint8Array, value: number, at: number): void => {
  const high = Math.floor(value / HIGH);
  bytes[at] = high;
  writeSix(bytes, value - high * HIGH, at + 1);
};

/** Byte by byte, as they are written. */
const readSix = (bytes: Uint8Array, at: number): number => {
  const high = (byteAt(bytes, at) << 8) | byteAt(bytes, at + 1);
  const low = (byteAt(bytes, at + 2) << 24) | (byteAt(bytes, at + 3) << 16) | (byteAt(bytes, at + 4) << 8);
  return high * WORD + ((low | byteAt(bytes, at + 5)) >>> 0);
};

const readNumber = (bytes: Uint8Array, at: number): number => byteAt(bytes, at) * HIGH + readSix(bytes, at + 1);

/** How entries of one kind lie in bytes: only orders have a rank of their own, for all others it is the reference. */
export class TermEntries {
  /** Whether entries have a rank beside their reference. */
  readonly isRanked: boolean;
  /** Bytes of one entry. */
  readonly width: number;

  constructor(kind: TermKind) {
    this.isRanked = kind === 'order';
    this.width = TERM_BYTES + NUMBER_BYTES + (this.isRanked ? NUMBER_BYTES : 0);
  }

  /** Byte by byte: a buffer's own writing checks each number, which takes three times as long. */
  write(bytes: Uint8Array, term: number, rank: number, ref: number, at: number): void {
    writeSix(bytes, term, at);
    writeNumber(bytes, ref, at + TERM_BYTES);
    if (this.isRanked) writeNumber(bytes, rank + RANK_OFFSET, at + TERM_BYTES + NUMBER_BYTES);
  }

  /** The entries of one term among sorted ones, from a rank on. */
  *of(bytes: Uint8Array, term: number, fromRank: number): Generator<TermEntry, void> {
    for (
      let at = this.#firstAt(bytes, term, fromRank);
      at < bytes.length && readSix(bytes, at) === term;
      at += this.width
    ) {
      yield { rank: this.rankAt(bytes, at), ref: readNumber(bytes, at + TERM_BYTES) };
    }
  }

  /** Adds what one term leads to among sorted entries. */
  refs(bytes: Uint8Array, term: number, found: number[]): void {
    const first = this.#firstAt(bytes, term, -Number.MAX_SAFE_INTEGER);
    for (let at = first; at < bytes.length && readSix(bytes, at) === term; at += this.width) {
      found.push(readNumber(bytes, at + TERM_BYTES));
    }
  }

  /** Where the entries of a term begin that have this rank or a higher one. */
  #firstAt(bytes: Uint8Array, term: number, fromRank: number): number {
    let [low, high] = [0, bytes.length / this.width];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = middle * this.width;
      const its = readSix(bytes, at);
      if (its < term || (its === term && this.rankAt(bytes, at) < fromRank)) low = middle + 1;
      else high = middle;
    }
    return low * this.width;
  }

  /** Hands over every entry, in the order in which they lie. */
  each(bytes: Uint8Array, take: (term: number, rank: number, ref: number) => void): void {
    for (let at = 0; at < bytes.length; at += this.width) {
      take(readSix(bytes, at), this.rankAt(bytes, at), readNumber(bytes, at + TERM_BYTES));
    }
  }

  /** Hands over the term of every entry. */
  terms(bytes: Uint8Array, take: (term: number) => void): void {
    for (let at = 0; at < bytes.length; at += this.width) take(readSix(bytes, at));
  }

  /** The term of the entry at a place. */
  termAt(bytes: Uint8Array, at: number): number {
    return readSix(bytes, at);
  }

  /** The rank of the entry at a place. */
  rankAt(bytes: Uint8Array, at: number): number {
    const offset = TERM_BYTES + NUMBER_BYTES;
    return this.isRanked ? readNumber(bytes, at + offset) - RANK_OFFSET : readNumber(bytes, at + TERM_BYTES);
  }
}
