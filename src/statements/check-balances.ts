import type { Decimal } from '../domain/decimal.ts';
import { exactOf, exactOrd, minus, plainText, plus, ZERO, type Exact } from '../domain/exact.ts';
import type { BankLine } from '../domain/statement-line.ts';
import type { BookedLines } from './booked-lines.ts';
import { unreadable, type StatementUnreadable } from './unreadable.ts';
import { soMany } from '../domain/so-many.ts';

/** What an amount did to its account. */
export const signed = ({ amount, direction }: Pick<BankLine, 'amount' | 'direction'>): Exact =>
  direction === 'in' ? exactOf(amount) : minus(ZERO, exactOf(amount));

/**
 * Null where opening and lines give the closing balance, or one of them is not there; else the refusal.
 *
 * @param line where the closing balance stands in the file
 * @param field what the format calls the closing balance
 */
export const checkBalances = (
  opening: Decimal | null,
  lines: Pick<BookedLines, 'length' | 'sum'>,
  closing: Decimal | null,
  line: number | null,
  field: string,
): StatementUnreadable | null => {
  if (opening === null || closing === null) return null;
  const reached = plus(exactOf(opening), lines.sum);
  return exactOrd.equals(reached, exactOf(closing))
    ? null
    : unreadable(
        line,
        field,
        `the opening balance ${opening} and ${lines.length === 1 ? 'the line gives' : `the ${soMany(lines.length, 'line')} give`} ${plainText(reached)}, but the closing balance is ${closing}`,
      );
};
