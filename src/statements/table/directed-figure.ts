import type { Decimal } from '../../domain/decimal.ts';
import { exactOf, isZero } from '../../domain/exact.ts';
import type { Direction } from '../../domain/statement-line.ts';
import { magnitude } from '../amount-text.ts';
import type { StatementUnreadable } from '../unreadable.ts';
import { directionWord } from './direction-words.ts';
import type { TableCell } from './table-row.ts';

/** An amount without a sign, and which way it went. */
export type DirectedFigure = { readonly amount: Decimal; readonly direction: Direction };

/** A figure as a cell has it: the sign, or `CR` or `DR`, that is written at it says a direction of its own. */
export type WrittenFigure = { readonly amount: Decimal; readonly said: Direction | null };

/**
 * A figure whose direction a word in another cell says. A sign at the figure may say the same, and is refused where it says the
 * other: nothing tells which of the two is meant. Zero came in, as it does where nothing but a sign says the direction.
 */
export const directedFigure = (
  { amount, said }: WrittenFigure,
  cell: TableCell,
  wrong: (detail: string) => StatementUnreadable,
): DirectedFigure | StatementUnreadable => {
  if (cell.formula) return wrong('it is a formula');
  const text = cell.text.trim();
  const direction = directionWord(text);
  if (direction === null)
    return wrong(
      `${text === '' ? 'it is empty' : `"${text.slice(0, 40)}" is no word for a direction`}: CR, credit, H, in or + say that a line came in, DR, debit, S, out or - that it went out`,
    );
  if (isZero(exactOf(amount))) return { amount: magnitude(amount), direction: 'in' };
  return said !== null && said !== direction
    ? wrong(
        `"${text.slice(0, 40)}" says that the line ${direction === 'in' ? 'came in' : 'went out'}, and the sign of its amount that it ${said === 'in' ? 'came in' : 'went out'}`,
      )
    : { amount: magnitude(amount), direction };
};
