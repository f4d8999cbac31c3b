import type { CellFormat } from './cell-styles.ts';
import type { Cell, SheetColumn } from './sheet.ts';
import { numberCell, textCell } from './workbook-cell.ts';

/** A column of a sheet whose rows are something, and the text that stands in it of each; null: nothing. */
export type RowColumn<Row> = SheetColumn & { readonly textOf: (row: Row) => string | null };

export const rowColumn = <Row>(
  heading: string,
  width: number,
  format: CellFormat,
  textOf: (row: Row) => string | null,
): RowColumn<Row> => ({ heading, width, format, textOf });

const cellOf = (format: CellFormat, text: string | null, time: (text: string) => Cell): Cell => {
  if (text === null || text === '') return null;
  if (format === 'time') return time(text);
  return format === 'text' || format === 'lines' ? textCell(text) : numberCell(text);
};

/** The cells of a row. `time`: how moments are written, `spreadsheetTime` of a calendar. */
export const cellsOf = <Row>(
  columns: readonly RowColumn<Row>[],
  row: Row,
  time: (text: string) => Cell,
): readonly Cell[] => columns.map(({ format, textOf }) => cellOf(format, textOf(row), time));
