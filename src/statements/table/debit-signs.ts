import { isNegative } from '../../domain/decimal.ts';
import { exactOf, isZero } from '../../domain/exact.ts';
import type { StatementProfile } from '../../domain/statement-profile.ts';
import { unreadable, type StatementUnreadable } from '../unreadable.ts';
import { tableFigure } from './table-amount.ts';
import type { TableColumns } from './table-columns.ts';
import type { TableRow } from './table-row.ts';

/**
 * The refusal of a table whose column of debits has both signs; null for any other. Banks write debits with a minus or
 * without one; where a table has both, one of them may be a debit that was taken back, which came in.
 */
export const debitsOfBothSigns = (
  rows: readonly TableRow[],
  columns: TableColumns,
  profile: StatementProfile,
): StatementUnreadable | null => {
  if (typeof columns.amount === 'number' || typeof profile.amount === 'string') return null;
  let first: boolean | null = null;
  for (const row of rows) {
    const cell = row.cells[columns.amount.debit];
    const amount = cell === undefined ? null : (cell.number ?? tableFigure(cell.text, profile.decimal)?.amount ?? null);
    if (amount === null || isZero(exactOf(amount))) continue;
    first ??= isNegative(amount);
    if (first !== isNegative(amount))
      return unreadable(
        row.line,
        profile.amount.debit,
        'debits before it have the other sign, so one of them may have come in',
      );
  }
  return null;
};
