import { isNegative } from '../../domain/decimal.ts';
import { exactOf, isZero } from '../../domain/exact.ts';
import type { StatementProfile } from '../../domain/statement-profile.ts';
import { unreadable, type StatementUnreadable } from '../unreadable.ts';
import { tableFigure } from './table-amount.ts';
import type { TableColumns } from './table-columns.ts';
import type { TableRow } from './table-row.ts';

/**
 * The refusal of a row whose debit has another sign than those of the rows before it; null for any other. Banks write debits with
 * a minus or without one; where a table has both, one of them may be a debit that was taken back, which came in. To be called
 * with the rows of a table in their order.
 */
export const debitSigns = (
  { amount }: TableColumns,
  profile: StatementProfile,
): ((row: TableRow) => StatementUnreadable | null) => {
  if (typeof amount === 'number' || typeof profile.amount === 'string') return () => null;
  const { debit } = profile.amount;
  let first: boolean | null = null;
  return (row) => {
    const cell = row.cells[amount.debit];
    const its = cell === undefined ? null : (cell.number ?? tableFigure(cell.text, profile.decimal)?.amount ?? null);
    if (its === null || isZero(exactOf(its))) return null;
    first ??= isNegative(its);
    return first === isNegative(its)
      ? null
      : unreadable(row.line, debit, 'debits before it have the other sign, so one of them may have come in');
  };
};
