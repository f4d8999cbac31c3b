import type { Cell, parseCellRef } from 'hucre/xlsx';
import { unreadable, type StatementUnreadable } from '../unreadable.ts';

/** The cells that one formula fills, by rows and columns from 0. */
type Area = { readonly top: number; readonly bottom: number; readonly left: number; readonly right: number };

/** More than this of a sheet are no table of a bank's; each is looked at for every cell. */
const MOST_AREAS = 10;

const AREA = /^(\$?[A-Z]{1,3}\$?[0-9]{1,7}):(\$?[A-Z]{1,3}\$?[0-9]{1,7})$/i;

/**
 * Which cells are filled by a formula that stands in another one: of such an area only the first cell says so, the others hold
 * figures as if they had been written there.
 *
 * @param parse hucre's reader of what a cell is called
 * @returns whether the cell of a row and column, from 0, is one; the refusal where there are too many areas
 */
export const formulaAreas = (
  cells: ReadonlyMap<string, Cell> | undefined,
  parse: typeof parseCellRef,
): ((row: number, column: number) => boolean) | StatementUnreadable => {
  const areas: Area[] = [];
  for (const { formulaType, formulaRef } of cells?.values() ?? []) {
    const [, from, to] = formulaType === 'array' ? (AREA.exec(formulaRef ?? '') ?? []) : [];
    if (from === undefined || to === undefined) continue;
    const [first, last] = [parse(from.replaceAll('$', '')), parse(to.replaceAll('$', ''))];
    const area = { top: first.row, bottom: last.row, left: first.col, right: last.col };
    areas.push(area);
    if (areas.length > MOST_AREAS)
      return unreadable(area.top + 1, 'xlsx', `more than ${String(MOST_AREAS)} formulas fill several cells each`);
  }
  return (row, column) =>
    areas.some(({ top, bottom, left, right }) => row >= top && row <= bottom && column >= left && column <= right);
};
