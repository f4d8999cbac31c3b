import type { BusinessDay } from '../domain/business-day.ts';
import { plus, ZERO, type Exact } from '../domain/exact.ts';
import { isBankLine, type BankLine } from '../domain/statement-line.ts';
import { boundedLine, keptLength } from './bounded-line.ts';
import type { BookedLines } from './booked-lines.ts';
import { signed } from './check-balances.ts';
import type { PackedText, PackedTexts } from './packed-texts.ts';

/** Lines that are packed together, and what their words may be, in UTF-16 units: what repeats within them takes no room. */
const TOGETHER = 256;
const LENGTH_TOGETHER = 1_048_576;

/** Who keeps count of the lines that are objects. */
type Keeper = {
  /** One more is to be kept, of so many units; whether it is. */
  readonly added: (lines: PackedLines, length: number) => boolean;
  /** So many, of so many units, are objects no more. */
  readonly packed: (lines: PackedLines, many: number, length: number) => void;
};

const unpacked = (text: string): readonly BankLine[] => {
  const lines: unknown = JSON.parse(text);
  if (Array.isArray(lines) && lines.every(isBankLine)) return lines;
  throw new Error('packed lines of a bank file are not what was packed');
};

/** The lines of a statement, packed as they come. A line is kept as far as an event takes it. */
export class PackedLines implements BookedLines {
  readonly #texts: PackedTexts;
  readonly #keeper: Keeper;
  readonly #packed: PackedText[] = [];
  #open: BankLine[] = [];
  #openLength = 0;
  #length = 0;
  #sum: Exact = ZERO;
  #first: BusinessDay | null = null;
  #last: BusinessDay | null = null;

  constructor(texts: PackedTexts, keeper: Keeper) {
    this.#texts = texts;
    this.#keeper = keeper;
  }

  get length(): number {
    return this.#length;
  }

  get sum(): Exact {
    return this.#sum;
  }

  get firstDay(): BusinessDay | null {
    return this.#first;
  }

  get lastDay(): BusinessDay | null {
    return this.#last;
  }

  add(line: BankLine): void {
    const kept = boundedLine(line);
    const length = keptLength(kept);
    if (!this.#keeper.added(this, length)) return;
    this.#length += 1;
    this.#sum = plus(this.#sum, signed(kept));
    if (this.#first === null || kept.bookedOn < this.#first) this.#first = kept.bookedOn;
    if (this.#last === null || kept.bookedOn > this.#last) this.#last = kept.bookedOn;
    this.#open.push(kept);
    this.#openLength += length;
    if (this.#open.length >= TOGETHER || this.#openLength >= LENGTH_TOGETHER) this.pack();
  }

  /** Packs what is not yet. */
  pack(): void {
    if (this.#open.length === 0) return;
    this.#packed.push(this.#texts.pack(JSON.stringify(this.#open)));
    this.#keeper.packed(this, this.#open.length, this.#openLength);
    this.#open = [];
    this.#openLength = 0;
  }

  *parts(): Generator<readonly BankLine[], void> {
    for (const packed of this.#packed) yield unpacked(this.#texts.read(packed));
    if (this.#open.length > 0) yield this.#open;
  }

  *[Symbol.iterator](): Generator<BankLine, void> {
    for (const part of this.parts()) yield* part;
  }
}
