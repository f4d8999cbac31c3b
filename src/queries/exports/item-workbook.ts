import { createHash } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import { businessCalendar } from '../../domain/business-day.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { MatchItemResource } from '../reconciliation/match-item-resource.ts';
import { aboutSheet } from '../tables/workbook/about-sheet.ts';
import type { CellFormat } from '../tables/workbook/cell-styles.ts';
import { cellsOf, rowColumn, type RowColumn } from '../tables/workbook/row-column.ts';
import type { SheetRow } from '../tables/workbook/sheet.ts';
import { spreadsheetTime } from '../tables/workbook/spreadsheet-time.ts';
import type { Workbook } from '../tables/workbook/workbook-pieces.ts';
import { FLOW_WORDS } from '../words/flow-words.ts';
import { aboutExport, exportTitle, type ExportMoment } from './about-export.ts';
import type { ExportRequest } from './export-request.ts';
import type { RowBatches } from './export-rows.ts';
import type { ExportSums } from './export-sums.ts';
import { currencySheet } from './currency-sheet.ts';

const joined = (texts: readonly (string | null)[]): string =>
  [...new Set(texts.filter((text) => text !== null))].join(' ');

const ofItem = (
  heading: string,
  width: number,
  format: CellFormat,
  textOf: (item: MatchItemResource) => string | null,
): RowColumn<MatchItemResource> => rowColumn(heading, width, format, textOf);

const PRINTED: readonly RowColumn<MatchItemResource>[] = [
  ofItem('State', 18, 'text', ({ state }) => state),
  ofItem('Flow', 9, 'text', ({ flow }) => (flow === null ? null : FLOW_WORDS[flow])),
  ofItem('Day', 12, 'text', ({ day }) => day),
  ofItem('Age in days', 11, 'count', ({ ageDays }) => String(ageDays)),
  ofItem('Currency', 9, 'text', ({ currency }) => currency),
  ofItem('Amount', 16, 'money', ({ fiat }) => fiat),
  ofItem('Breaks', 28, 'text', ({ breaks }) => joined(breaks.map(({ code }) => code))),
  ofItem('Orders', 28, 'text', ({ orders }) => joined(orders.map(({ orderId }) => orderId))),
  ofItem('UTRs', 24, 'text', ({ payouts }) => joined(payouts.map(({ utr }) => utr))),
  ofItem('Amounts at the bank', 20, 'money', ({ lines }) => lines.map((line) => line.amount).join(' ')),
  ofItem('In or out', 10, 'text', ({ lines }) => lines.map((line) => line.direction).join(' ')),
  ofItem('Booked on', 14, 'text', ({ lines }) => joined(lines.map(({ bookedOn }) => bookedOn))),
  ofItem('Accounts', 26, 'text', ({ lines }) => joined(lines.map(({ account }) => account))),
];

const BEHIND: readonly RowColumn<MatchItemResource>[] = [
  ofItem('Rule', 16, 'text', ({ rule }) => rule),
  ofItem('Transaction hashes', 68, 'text', ({ transfers }) => joined(transfers.map(({ txnHash }) => txnHash))),
  ofItem('Bank lines', 66, 'text', ({ lines }) => joined(lines.map(({ lineId }) => lineId))),
  ofItem('Decision', 12, 'text', ({ decision }) => decision?.decision ?? null),
  ofItem('Why', 40, 'text', ({ decision }) => decision?.note ?? null),
  ofItem('Decided by', 18, 'text', ({ decision }) => decision?.by ?? null),
  ofItem('Decided', 19, 'time', ({ decision }) => decision?.at ?? null),
  ofItem('Other currencies', 18, 'text', ({ others }) =>
    others.map(({ currency, fiat }) => `${fiat} ${currency}`).join(', '),
  ),
  ofItem('Item', 40, 'text', ({ itemId }) => itemId),
];

/** Items of the match as a workbook: themselves, what they come to, and what all of it is of. */
export const itemWorkbook = (
  request: Extract<ExportRequest, { readonly kind: 'reconciliation' }>,
  moment: ExportMoment,
  items: RowBatches<MatchItemResource>,
  sums: ExportSums,
): Workbook<QueryFailure> => {
  const time = spreadsheetTime(businessCalendar(request.timeZone));
  const columns = [...PRINTED, ...BEHIND].map((column) =>
    column.format === 'time' ? { ...column, heading: `${column.heading} (${request.timeZone})` } : column,
  );
  const title = exportTitle(request);
  const digest = createHash('sha256');
  const written = async function* () {
    for await (const batch of items) {
      if (E.isRight(batch)) for (const item of batch.right) digest.update(`${JSON.stringify(item)}\n`);
      yield E.map((rows: readonly MatchItemResource[]) =>
        rows.map((item): SheetRow => ({ cells: cellsOf(columns, item, time) })),
      )(batch);
    }
  };
  return {
    title,
    modified: new Date(moment.recordedAt ?? 0),
    sheets: [
      { name: 'Items', title, columns, printedColumns: PRINTED.length, isFiltered: true, rows: written },
      currencySheet(title, 'Items', sums),
      aboutSheet(title, () => [
        ...aboutExport(request, moment),
        ['Items', sums.rows],
        ['SHA-256 of the items', digest.digest('hex')],
        ['How to check it', 'It is the digest of the same export as NDJSON, as of the same position and day.'],
      ]),
    ],
  };
};
