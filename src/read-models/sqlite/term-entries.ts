import type { TermKind } from './term-statements.ts';

/** One thing that a term finds. `rank` orders them, the least first. */
export type TermEntry = { readonly rank: number; readonly ref: number };

const HIGH = 0x1_0000_0000_0000;
/** Ranks of orders are milliseconds, and may be negative. */
const RANK_OFFSET = 0x10_0000_0000_0000;

const TERM_BYTES = 6;
const NUMBER_BYTES = 7;

const WORD = 0x1_0000_0000;

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

const readNumber = (buffer: Buffer, at: number): number =>
  buffer.readUInt8(at) * HIGH + buffer.readUIntBE(at + 1, NUMBER_BYTES - 1);

/** A view on bytes of a database. */
const viewOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** How entries of one kind lie in bytes: only orders have a rank of their own, for all others it is the reference. */
export class TermEntries {
  readonly #isRanked: boolean;
  /** Bytes of one entry. */
  readonly width: number;

  constructor(kind: TermKind) {
    this.#isRanked = kind === 'order';
    this.width = TERM_BYTES + NUMBER_BYTES + (this.#isRanked ? NUMBER_BYTES : 0);
  }

  /** Byte by byte: a buffer's own writing checks each number, which takes three times as long. */
  write(bytes: Uint8Array, term: number, rank: number, ref: number, at: number): void {
    writeSix(bytes, term, at);
    writeNumber(bytes, ref, at + TERM_BYTES);
    if (this.#isRanked) writeNumber(bytes, rank + RANK_OFFSET, at + TERM_BYTES + NUMBER_BYTES);
  }

  /** The entries of one term among sorted ones, from a rank on. */
  *of(bytes: Uint8Array, term: number, fromRank: number): Generator<TermEntry, void> {
    const buffer = viewOf(bytes);
    const termAt = (at: number): number => buffer.readUIntBE(at, TERM_BYTES);
    let [low, high] = [0, buffer.length / this.width];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const at = middle * this.width;
      const its = termAt(at);
      if (its < term || (its === term && this.#rankAt(buffer, at) < fromRank)) low = middle + 1;
      else high = middle;
    }
    for (let at = low * this.width; at < buffer.length && termAt(at) === term; at += this.width) {
      yield { rank: this.#rankAt(buffer, at), ref: readNumber(buffer, at + TERM_BYTES) };
    }
  }

  /** Hands over every entry, in the order in which they lie. */
  each(bytes: Uint8Array, take: (term: number, rank: number, ref: number) => void): void {
    const buffer = viewOf(bytes);
    for (let at = 0; at < buffer.length; at += this.width) {
      take(buffer.readUIntBE(at, TERM_BYTES), this.#rankAt(buffer, at), readNumber(buffer, at + TERM_BYTES));
    }
  }

  /** Hands over the term of every entry. */
  terms(bytes: Uint8Array, take: (term: number) => void): void {
    const buffer = viewOf(bytes);
    for (let at = 0; at < buffer.length; at += this.width) take(buffer.readUIntBE(at, TERM_BYTES));
  }

  #rankAt(buffer: Buffer, at: number): number {
    const offset = TERM_BYTES + NUMBER_BYTES;
    return this.#isRanked ? readNumber(buffer, at + offset) - RANK_OFFSET : readNumber(buffer, at + TERM_BYTES);
  }
}
