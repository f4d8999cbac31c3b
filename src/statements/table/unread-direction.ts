import type { BankLine } from '../../domain/statement-line.ts';
import { exactOf, isZero } from '../../domain/exact.ts';
import { unreadable, type StatementUnreadable } from '../unreadable.ts';
import { directionHeader, isMarkOfBalance, isOfSomethingElse, type DirectionHeader } from './direction-header.ts';
import { directionWord, isSign, isWholeWord } from './direction-words.ts';
import type { TableColumns } from './table-columns.ts';
import type { TableRow } from './table-row.ts';

/** What is noted of a column that nobody reads as a direction: a few flags, however many rows there are. */
type Seen = {
  readonly column: number;
  readonly name: string;
  readonly header: DirectionHeader;
  /** Whether each line with a figure had one of the words so far. */
  isWhole: boolean;
  hasSigns: boolean;
  hasWords: boolean;
  /** Whether there was a word that can hardly mean anything else: one of the other direction, or more than a letter. */
  isSure: boolean;
  /** The line of the first word for out beside what was read as in. */
  against: number | null;
};

/** Looks at the rows of a table beside what was read of them. */
export type UnreadDirection = {
  readonly take: (row: TableRow, line: BankLine) => void;
  /** The refusal of a table with a column that says of some line that it went out, where it was read as one that came in. */
  readonly end: () => StatementUnreadable | null;
};

const UNNEEDED: UnreadDirection = { take: () => undefined, end: () => null };

const DETAIL =
  'this column says of a line that it went out, and the profile reads that line as one that came in: name this column as direction in the profile, or columns of both, credit and debit, in place of amount; where it says something else, leave it out of the file';

/** Notes a cell; whether the column may still be one that says the direction. */
const note = (seen: Seen, text: string, row: TableRow, line: BankLine): boolean => {
  const word = directionWord(text);
  const isNothing = isZero(exactOf(line.amount));
  if (word === null) {
    if (!(isNothing && text.trim() === '')) seen.isWhole = false;
    return seen.isWhole || seen.header === 'plainly';
  }
  if (isSign(text)) seen.hasSigns = true;
  else seen.hasWords = true;
  if (word === 'in' || isWholeWord(text)) seen.isSure = true;
  if (word === 'out' && line.direction === 'in' && !isNothing) seen.against ??= row.line;
  return true;
};

/** Whether a column contradicts what was read. `-` alone is what banks write for nothing, and a letter alone a code of anything. */
const isRefused = ({ header, isWhole, hasSigns, hasWords, isSure }: Seen, isSigned: boolean): boolean => {
  if (header === 'plainly') return true;
  if (!isWhole || isSigned || (hasSigns && hasWords)) return false;
  return isSure || (header === 'perhaps' && hasWords);
};

/**
 * Watches over a table of which one column of amounts is read, without one that says their direction: where all amounts are
 * without a sign, and a column says of each whether it came in or went out, a payout would be booked as a receipt. Columns of text
 * and references are looked at too. A column that agrees with what was read is none of that.
 */
export const unreadDirection = (header: TableRow, columns: TableColumns): UnreadDirection => {
  const { amount } = columns;
  if (typeof amount !== 'number' || columns.direction !== null) return UNNEEDED;
  const read = new Set([columns.date, columns.valueDate, columns.currency, columns.account, amount]);
  const names = header.cells.map(({ text }) => text.trim());
  let open = names.flatMap((name, column): readonly Seen[] =>
    read.has(column) || isOfSomethingElse(name) || isMarkOfBalance(names, column, amount)
      ? []
      : [
          {
            column,
            name: name === '' ? `column ${String(column + 1)}` : name,
            header: directionHeader(names, column, amount),
            isWhole: true,
            hasSigns: false,
            hasWords: false,
            isSure: false,
            against: null,
          },
        ],
  );
  let isSigned = false;
  return {
    take: (row, line) => {
      if (line.direction === 'out') isSigned = true;
      // Most columns end with the first row, and most tables have none to look at from then on.
      if (open.length > 0) open = open.filter((seen) => note(seen, row.cells[seen.column]?.text ?? '', row, line));
    },
    end: () => {
      const found = open.find((seen) => seen.against !== null && isRefused(seen, isSigned));
      return found === undefined ? null : unreadable(found.against, found.name, DETAIL);
    },
  };
};
