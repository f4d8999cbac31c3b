import type { StatementProfile } from '../../domain/statement-profile.ts';
import { unreadable, type StatementUnreadable } from '../unreadable.ts';
import { directionWord, isSign } from './direction-words.ts';
import type { TableColumns } from './table-columns.ts';
import type { TableRow } from './table-row.ts';

/**
 * The refusal of a row whose direction is a `+` or a `-` where those of the rows before it are words, or the other way round;
 * null for any other. Beside words `-` is what banks write for nothing, and would be read as out. To be called with the rows of
 * a table in their order.
 */
export const directionKind = (
  { direction }: TableColumns,
  profile: StatementProfile,
): ((row: TableRow) => StatementUnreadable | null) => {
  if (direction === null) return () => null;
  const name = profile.direction ?? '';
  let areSigns: boolean | null = null;
  return (row) => {
    const text = row.cells[direction]?.text ?? '';
    if (directionWord(text) === null) return null;
    areSigns ??= isSign(text);
    return areSigns === isSign(text)
      ? null
      : unreadable(row.line, name, 'the column has both signs (+, -) and words, so - may say nothing');
  };
};
