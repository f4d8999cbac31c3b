import { createHash } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import { businessCalendar, type Calendar } from '../../domain/business-day.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { OrderResource } from '../orders/order-resource.ts';
import { aboutSheet, type AboutLine } from '../tables/workbook/about-sheet.ts';
import { cellsOf, rowColumn, type RowColumn } from '../tables/workbook/row-column.ts';
import { rowsAtHand, type Sheet, type SheetRow } from '../tables/workbook/sheet.ts';
import { spreadsheetTime } from '../tables/workbook/spreadsheet-time.ts';
import type { Workbook } from '../tables/workbook/workbook-pieces.ts';
import { FLOW_WORDS } from '../words/flow-words.ts';
import { PHASE_WORDS } from '../words/status-words.ts';
import { aboutExport, exportTitle, type ExportMoment } from './about-export.ts';
import type { ExportRequest } from './export-request.ts';
import type { RowBatches } from './export-rows.ts';
import { SHEET_ROWS } from './fits-in-sheet.ts';
import { orderColumns, payoutColumns, payoutRows, PRINTED_COLUMNS } from './order-columns.ts';
import { OrderTotals, type MoneyLine, type TokenLine } from './order-totals.ts';

type OrderRequest = Extract<ExportRequest, { readonly kind: 'orders' }>;

/** What the sheets of a workbook of orders are made of. */
export type OrderRows = {
  /** The orders, once. */
  readonly orders: RowBatches<OrderResource>;
  /** Off-ramp orders of the same state again: a sheet of payouts is written when that of the orders is done. */
  readonly again: () => RowBatches<OrderResource>;
};

const MONEY: readonly RowColumn<MoneyLine>[] = [
  rowColumn('Flow', 10, 'text', ({ flow }) => FLOW_WORDS[flow]),
  rowColumn('Currency', 10, 'text', ({ currency }) => currency),
  rowColumn('Phase', 16, 'text', ({ phase }) => (phase === null ? 'Total' : PHASE_WORDS[phase])),
  rowColumn('Orders', 12, 'count', ({ orders }) => String(orders)),
  rowColumn('Amount', 22, 'money', ({ fiat }) => fiat),
  rowColumn('Commission', 18, 'money', ({ commission }) => commission),
  rowColumn('TDS', 18, 'money', ({ tds }) => tds),
];

const TOKENS: readonly RowColumn<TokenLine>[] = [
  rowColumn('Flow', 10, 'text', ({ flow }) => FLOW_WORDS[flow]),
  rowColumn('Token', 12, 'text', ({ symbol }) => symbol),
  rowColumn('Chain', 10, 'plain', ({ chainId }) => chainId),
  rowColumn('Phase', 16, 'text', ({ phase }) => PHASE_WORDS[phase]),
  rowColumn('Orders', 12, 'count', ({ orders }) => String(orders)),
  rowColumn('Token amount', 26, 'tokens', ({ amount }) => amount),
  rowColumn('Base units', 34, 'tokens', ({ baseUnits }) => baseUnits),
  rowColumn('Token contract', 46, 'text', ({ address }) => address),
];

const NO_TIME = (text: string): string => text;

const totalsSheet = (title: string, totals: OrderTotals): Sheet<QueryFailure> => ({
  name: 'Totals',
  title,
  columns: MONEY,
  rows: () =>
    rowsAtHand(
      totals.money.map((line) => {
        const cells = cellsOf(MONEY, line, NO_TIME);
        return line.phase === null ? { cells, isTotal: true } : { cells };
      }),
    ),
});

const tokensSheet = (title: string, totals: OrderTotals): Sheet<QueryFailure> => ({
  name: 'Tokens',
  title,
  columns: TOKENS,
  isFiltered: true,
  rows: () => rowsAtHand(totals.tokens.map((line) => ({ cells: cellsOf(TOKENS, line, NO_TIME) }))),
});

const payoutsSheet = (title: string, calendar: Calendar, again: OrderRows['again']): Sheet<QueryFailure> => {
  const columns = payoutColumns(calendar.timeZone);
  const time = spreadsheetTime(calendar);
  return {
    name: 'Payouts',
    title: `Payouts of: ${title}`,
    columns,
    isFiltered: true,
    async *rows() {
      let count = 0;
      for await (const batch of again()) {
        if (E.isLeft(batch)) {
          yield batch;
          return;
        }
        const rows = batch.right.flatMap((order) => payoutRows(order));
        count += rows.length;
        if (count > SHEET_ROWS) {
          yield E.left({ _tag: 'TooManyRows', most: SHEET_ROWS });
          return;
        }
        yield E.right(rows.map((row): SheetRow => ({ cells: cellsOf(columns, row, time) })));
      }
    },
  };
};

const SHEETS: readonly AboutLine[] = [
  [
    'Sheet Orders',
    'A line for each order, newest created first. Amount is what the order is worth, whatever became of it: Phase says that.',
  ],
  ['Sheet Totals', 'The orders of that sheet added up. Amounts of different currencies are never added.'],
  [
    'Sheet Payouts',
    'A line for each payout attempt of an off-ramp order. An order with two attempts stands there twice.',
  ],
  ['Sheet Tokens', 'The tokens of those orders, by contract and chain.'],
];

/** Orders as a workbook: themselves, what they come to, their payouts, their tokens, and what all of it is of. */
export const orderWorkbook = (
  request: OrderRequest,
  moment: ExportMoment,
  { orders, again }: OrderRows,
): Workbook<QueryFailure> => {
  const calendar = businessCalendar(request.timeZone);
  const time = spreadsheetTime(calendar);
  const columns = orderColumns(request.timeZone);
  const title = exportTitle(request);
  const totals = new OrderTotals();
  const digest = createHash('sha256');
  let count = 0;
  const written = async function* () {
    for await (const batch of orders) {
      if (E.isLeft(batch)) {
        yield batch;
        return;
      }
      const rows: SheetRow[] = [];
      for (const order of batch.right) {
        totals.add(order);
        digest.update(`${JSON.stringify(order)}\n`);
        rows.push({ cells: cellsOf(columns, order, time) });
      }
      count += rows.length;
      yield E.right(rows);
    }
  };
  return {
    title,
    modified: new Date(moment.recordedAt ?? 0),
    sheets: [
      {
        name: 'Orders',
        title,
        columns,
        frozenColumns: 1,
        printedColumns: PRINTED_COLUMNS,
        isFiltered: true,
        rows: written,
      },
      totalsSheet(title, totals),
      payoutsSheet(title, calendar, again),
      tokensSheet(title, totals),
      aboutSheet(title, () => [
        ...aboutExport(request, moment),
        ['Orders', count],
        ['SHA-256 of the orders', digest.digest('hex')],
        ['How to check it', 'It is the digest of the same export as NDJSON, as of the same position.'],
        ...SHEETS,
      ]),
    ],
  };
};
