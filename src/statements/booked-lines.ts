import type { BusinessDay } from '../domain/business-day.ts';
import type { Exact } from '../domain/exact.ts';
import type { BankLine } from '../domain/statement-line.ts';

/**
 * The lines of a statement, in the order of the file. There may be some hundred thousand: what is said of all of them is told
 * without them, and who goes through them has some of them at a time.
 */
export type BookedLines = Iterable<BankLine> & {
  readonly length: number;
  /** What they did to the account together. */
  readonly sum: Exact;
  /** The first and the last day on which any of them was booked; null where there is none. */
  readonly firstDay: BusinessDay | null;
  readonly lastDay: BusinessDay | null;
  /** All of them, some at a time. */
  readonly parts: () => Iterable<readonly BankLine[]>;
};

/** Lines that are of another account than they say, or in another currency. */
export const linesOf = (lines: BookedLines, its: Partial<Pick<BankLine, 'account' | 'currency'>>): BookedLines => {
  const { length, sum, firstDay, lastDay } = lines;
  const parts = function* (): Generator<readonly BankLine[], void> {
    for (const part of lines.parts()) yield part.map((line) => ({ ...line, ...its }));
  };
  const each = function* (): Generator<BankLine, void> {
    for (const part of parts()) yield* part;
  };
  return { length, sum, firstDay, lastDay, parts, [Symbol.iterator]: each };
};
