import { PackedLines } from './packed-lines.ts';
import { PackedTexts } from './packed-texts.ts';
import { unreadable, type StatementUnreadable } from './unreadable.ts';

/** So many lines of a file are in memory as objects at most, whatever accounts they are of. */
export const MOST_OPEN_LINES = 4_096;
/** And so much of their words, in UTF-16 units. */
const MOST_OPEN_LENGTH = 4_194_304;
/** What all lines of a file may take packed: what a file of 16 MiB says by itself takes a fraction of it. */
const MOST_PACKED = 67_108_864;

/**
 * Keeps the lines of one file, of all its statements, in little memory. Of 16 MiB of short lines there are some hundred thousand,
 * which as objects took a multiple of what a ledger has.
 */
export class LineKeeper {
  readonly #mostLength: number;
  readonly #texts = new PackedTexts();
  readonly #open = new Set<PackedLines>();
  #length = 0;
  #openLines = 0;
  #openLength = 0;

  /** @param mostLength what may be kept of the words of all lines, in UTF-16 units */
  constructor(mostLength: number) {
    this.#mostLength = mostLength;
  }

  /** How many lines are in memory as objects now. */
  get openLines(): number {
    return this.#openLines;
  }

  /** The refusal of a file whose lines take too much, which are not kept any more; null for any other. */
  get overfull(): StatementUnreadable | null {
    return this.#length > this.#mostLength || this.#texts.bytes > MOST_PACKED
      ? unreadable(null, 'size', 'its lines repeat so many texts that they would take far more room than the file')
      : null;
  }

  /** The lines of another statement, none so far. */
  begin(): PackedLines {
    return new PackedLines(this.#texts, {
      added: (lines, length) => this.#added(lines, length),
      packed: (lines, many, length) => {
        this.#open.delete(lines);
        this.#openLines -= many;
        this.#openLength -= length;
      },
    });
  }

  /** Whether the line is kept. */
  #added(lines: PackedLines, length: number): boolean {
    this.#length += length;
    if (this.overfull !== null) return false;
    // Each of very many accounts may have but a few lines.
    if (this.#openLines >= MOST_OPEN_LINES || this.#openLength + length > MOST_OPEN_LENGTH)
      for (const open of this.#open) open.pack();
    this.#open.add(lines);
    this.#openLines += 1;
    this.#openLength += length;
    return true;
  }
}
