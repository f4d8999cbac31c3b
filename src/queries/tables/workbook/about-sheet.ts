import { rowsAtHand, type Cell, type Sheet } from './sheet.ts';
import { textCell } from './workbook-cell.ts';

/** Something that a workbook says of itself, with its name. */
export type AboutLine = readonly [name: string, value: string | number];

const COLUMNS = [
  { heading: 'About this workbook', width: 30, format: 'text' },
  { heading: '', width: 100, format: 'lines' },
] as const;

const cellsOf = ([name, value]: AboutLine): readonly Cell[] => [
  textCell(name),
  textCell(typeof value === 'number' ? String(value) : value),
];

/** The sheet that says what a workbook is of. `lines`: asked for when all sheets before it are written. */
export const aboutSheet = <Failure>(
  title: string,
  lines: () => readonly AboutLine[],
  name = 'About',
): Sheet<Failure> => ({
  name,
  title,
  columns: COLUMNS,
  rows: () => rowsAtHand([['Title', title] as const, ...lines()].map((line) => ({ cells: cellsOf(line) }))),
});
