import { isNegative } from '../../domain/decimal.ts';
import { exactOf, isZero } from '../../domain/exact.ts';
import type { StatementProfile } from '../../domain/statement-profile.ts';
import { unreadable, type StatementUnreadable } from '../unreadable.ts';
import { directionWord } from './direction-words.ts';
import { tableFigure } from './table-amount.ts';
import type { TableColumns } from './table-columns.ts';
import type { TableRow } from './table-row.ts';

/**
 * The refusal of a row whose debit has another sign than those of the rows before it; null for any other. Banks write debits with
 * a minus or without one; where a table has both, one of them may be a debit that was taken back, which came in. To be called
 * with the rows of a table in their order.
 */
export const debitSigns = (
  { amount, direction }: TableColumns,
  profile: StatementProfile,
): ((row: TableRow) => StatementUnreadable | null) => {
  const debits = typeof amount === 'number' ? amount : amount.debit;
  const name = typeof profile.amount === 'string' ? profile.amount : profile.amount.debit;
  // Where nothing but a sign says which of the amounts are debits, all of them have it.
  if (typeof amount === 'number' && direction === null) return () => null;
  let first: boolean | null = null;
  return (row) => {
    if (direction !== null && directionWord(row.cells[direction]?.text ?? '') !== 'out') return null;
    const cell = row.cells[debits];
    const its = cell === undefined ? null : (cell.number ?? tableFigure(cell.text, profile.decimal)?.amount ?? null);
    if (its === null || isZero(exactOf(its))) return null;
    first ??= isNegative(its);
    return first === isNegative(its)
      ? null
      : unreadable(row.line, name, 'debits before it have the other sign, so one of them may have come in');
  };
};
