import { fittedRows, GAP } from './fitted-rows.ts';

/** How the cells of a column stand: texts flush left; numbers flush right, their decimal points one below the other. */
export type Alignment = 'text' | 'number';

const isNumber = (cell: string): boolean => /^-?\d+(\.\d+)?$/.test(cell);

/** The length of a number's fraction, its point included. */
const fractionOf = (cell: string): number =>
  isNumber(cell) && cell.includes('.') ? cell.length - cell.indexOf('.') : 0;

/** The cells of one column, each as wide as the widest of them. */
const column = (cells: readonly string[], alignment: Alignment): readonly string[] => {
  const fraction = cells.reduce((most, cell) => Math.max(most, fractionOf(cell)), 0);
  const placed =
    alignment === 'text'
      ? cells
      : cells.map((cell) => (isNumber(cell) ? cell + ' '.repeat(fraction - fractionOf(cell)) : cell));
  const width = placed.reduce((widest, cell) => Math.max(widest, cell.length), 0);
  return placed.map((cell) => (alignment === 'text' ? cell.padEnd(width) : cell.padStart(width)));
};

/**
 * Rows of text whose columns line up, two spaces between them.
 *
 * @param alignments of the columns from the first; those that are not there are texts
 * @param width of the terminal that they are to fit, by leaving out the middle of long texts; null: of none
 */
export const columns = (
  given: readonly (readonly string[])[],
  alignments: readonly Alignment[] = [],
  width: number | null = null,
): string => {
  const rows = width === null ? given : fittedRows(given, (i) => alignments[i] !== 'number', width);
  const count = Math.max(0, ...rows.map((row) => row.length));
  const placed = Array.from({ length: count }, (_, i) =>
    column(
      rows.map((row) => row[i] ?? ''),
      alignments[i] ?? 'text',
    ),
  );
  return rows
    .map(
      (_, line) =>
        `${placed
          .map((cells) => cells[line])
          .join(' '.repeat(GAP))
          .trimEnd()}\n`,
    )
    .join('');
};

/** Whether no line of a table is longer than a terminal is wide; null: every one is short enough. */
export const fits = (table: string, width: number | null): boolean =>
  width === null || table.split('\n').every((line) => line.length <= width);
