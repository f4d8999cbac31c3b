import type { BankLine } from '../domain/statement-line.ts';
import type { BookedLines } from './booked-lines.ts';

/**
 * Gives the lines of several statements some at a time, by their numbers in the file. Whoever asks goes from the first to the last:
 * what is unpacked is not kept behind them, and who goes back begins anew.
 */
export class LinesInOrder {
  readonly #statements: readonly BookedLines[];
  #parts: Iterator<readonly BankLine[], void>;
  /** What is unpacked, and the number of its first line. */
  #part: readonly BankLine[] = [];
  #first = 0;

  constructor(statements: readonly BookedLines[]) {
    this.#statements = statements;
    this.#parts = this.#allParts();
  }

  /** So many lines from one on; fewer only where there are fewer. */
  from(index: number, most: number): readonly BankLine[] {
    if (index < this.#first) {
      this.#parts = this.#allParts();
      [this.#part, this.#first] = [[], 0];
    }
    const lines: BankLine[] = [];
    for (;;) {
      const at = index + lines.length - this.#first;
      for (const line of this.#part.slice(at, at + most - lines.length)) lines.push(line);
      if (lines.length === most) return lines;
      const next = this.#parts.next();
      if (next.done === true) return lines;
      this.#first += this.#part.length;
      this.#part = next.value;
    }
  }

  *#allParts(): Generator<readonly BankLine[], void> {
    for (const lines of this.#statements) yield* lines.parts();
  }
}
