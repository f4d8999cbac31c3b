import type * as E from 'fp-ts/lib/Either.js';
import type { CellFormat } from './cell-styles.ts';

/** What a cell holds. A number of a column of times is one of `spreadsheetTime`. */
export type Cell = string | number | boolean | null;

export type SheetColumn = {
  readonly heading: string;
  /** In characters. */
  readonly width: number;
  readonly format: CellFormat;
};

/** A row; totals stand behind all others, and are not filtered or sorted with them. */
export type SheetRow = { readonly cells: readonly Cell[]; readonly isTotal?: true };

/** Rows in batches as they are taken; a Left is the last. */
type SheetRows<Failure> = AsyncIterable<E.Either<Failure, readonly SheetRow[]>>;

/** A sheet: a row of headings that stays in view and is printed on every page, and rows behind it. */
export type Sheet<Failure> = {
  readonly name: string;
  /** What is on it, for the head of printed pages. */
  readonly title: string;
  readonly columns: readonly SheetColumn[];
  /** How many columns stay in view when one looks at those behind them. */
  readonly frozenColumns?: number;
  /** How many columns are printed; without it, all. */
  readonly printedColumns?: number;
  /** Whether rows can be chosen and sorted by the headings. */
  readonly isFiltered?: boolean;
  /** Asked for when all sheets before it are written. */
  readonly rows: () => SheetRows<Failure>;
};

/** Rows that are at hand. */
export async function* rowsAtHand<Failure>(
  rows: readonly SheetRow[],
): AsyncGenerator<E.Either<Failure, readonly SheetRow[]>> {
  yield { _tag: 'Right', right: rows };
}
