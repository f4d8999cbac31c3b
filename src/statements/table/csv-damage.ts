import { unreadable, type StatementUnreadable } from '../unreadable.ts';
import type { TableRow } from './table-row.ts';

/** Whether a cell began with a quote that did not end where the cell did, and took the end of a line in. */
const isRunOn = (text: string): boolean => text.startsWith('"') && text.includes('\n');

/**
 * The refusal of a CSV row whose cells are not where its header says; null where they are. A delimiter in a text that is not
 * quoted moves the cells behind it, and a quote that is not closed joins two lines: both would be read as other figures.
 */
export const csvDamage = (header: TableRow, { line, cells }: TableRow): StatementUnreadable | null => {
  if (cells.some(({ text }) => isRunOn(text))) return unreadable(line, 'csv', 'a quote is not closed');
  return cells.slice(header.cells.length).some(({ text }) => text.trim() !== '')
    ? unreadable(line, 'csv', 'it has more cells than the header: a delimiter stands in a text without quotes')
    : null;
};
