import { cellsOf, rowColumn, type RowColumn } from '../tables/workbook/row-column.ts';
import { rowsAtHand, type Sheet } from '../tables/workbook/sheet.ts';
import type { CurrencySum, ExportSums } from './export-sums.ts';

/** What the rows of an export come to, a line for each currency. `counted`: what its rows are called. */
export const currencySheet = <Failure>(title: string, counted: string, sums: ExportSums): Sheet<Failure> => {
  const columns: readonly RowColumn<CurrencySum>[] = [
    rowColumn('Currency', 12, 'text', ({ currency }) => currency),
    rowColumn(counted, 12, 'count', ({ rows }) => String(rows)),
    rowColumn('Amount', 22, 'money', ({ fiat }) => fiat),
  ];
  return {
    name: 'Totals',
    title,
    columns,
    rows: () => rowsAtHand(sums.sums.map((sum) => ({ cells: cellsOf(columns, sum, (text) => text) }))),
  };
};
