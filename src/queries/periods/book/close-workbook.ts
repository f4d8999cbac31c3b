import type { PeriodCheck } from '../../../domain/own-event/period-events.ts';
import type { PersonalData } from '../../masking/personal-data.ts';
import { shownText } from '../../masking/shown-text.ts';
import { reportResource } from '../../reports/report-resource.ts';
import { figuresSheet, tokensSheet } from '../../reports/report-sheets.ts';
import { aboutSheet, type AboutLine } from '../../tables/workbook/about-sheet.ts';
import { cellsOf, rowColumn, type RowColumn } from '../../tables/workbook/row-column.ts';
import { rowsAtHand, type Sheet } from '../../tables/workbook/sheet.ts';
import { wholeWorkbook } from '../../tables/workbook/whole-workbook.ts';
import { checkWords } from '../../words/check-words.ts';
import { openAtClose } from '../../words/open-at-close.ts';
import { daysWords } from '../../words/days-words.ts';
import { FLOW_WORDS } from '../../words/flow-words.ts';
import { inReadingOrder, measureWords } from '../../words/measure-words.ts';
import { PHASE_WORDS } from '../../words/status-words.ts';
import { firstDayOf, lastDayOf } from '../../../domain/month.ts';
import type { CloseBook } from './close-book.ts';
import type { ReceivedAdjustment } from './received-adjustments.ts';

const NO_TIME = (text: string): string => text;

const CHECKS: readonly RowColumn<PeriodCheck>[] = [
  rowColumn('Check', 46, 'text', ({ name }) => checkWords(name)),
  rowColumn('At the close', 14, 'text', ({ ok }) => (ok ? 'OK' : 'Accepted')),
  rowColumn('How many', 12, 'count', ({ count }) => String(count)),
  rowColumn('What was behind it', 80, 'text', ({ detail }) => detail),
  rowColumn('Name', 18, 'text', ({ name }) => name),
];

/** A measure of an adjustment, a row of its own. */
type MeasureRow = {
  readonly found: ReceivedAdjustment;
  readonly name: string;
  readonly earlier: string;
  readonly now: string;
  readonly difference: string;
};

const adjustmentColumns = (personal: PersonalData): readonly RowColumn<MeasureRow>[] => [
  rowColumn('Month', 10, 'text', ({ found }) => found.period),
  rowColumn('Flow', 10, 'text', ({ found }) => FLOW_WORDS[found.flow]),
  rowColumn('By day of', 12, 'text', ({ found }) => found.basis),
  rowColumn('Currency', 10, 'text', ({ found }) => shownText(found.currency, personal)),
  rowColumn('Measure', 44, 'text', ({ found, name }) => shownText(measureWords(found.flow, name), personal)),
  rowColumn('At the close before', 22, 'money', ({ earlier }) => earlier),
  rowColumn('At this close', 22, 'money', ({ now }) => now),
  rowColumn('Difference', 22, 'money', ({ difference }) => difference),
];

const adjustmentsSheet = (
  title: string,
  received: readonly ReceivedAdjustment[],
  personal: PersonalData,
): Sheet<never> => {
  const columns = adjustmentColumns(personal);
  const rows = received.flatMap((found) =>
    inReadingOrder(found.measures).map(([name, { closed, now, difference }]): MeasureRow => ({
      found,
      name,
      earlier: String(closed),
      now: String(now),
      difference: String(difference),
    })),
  );
  return {
    name: 'Adjustments',
    title: `${title}: what came for earlier months`,
    columns,
    isFiltered: true,
    rows: () => rowsAtHand(rows.map((row) => ({ cells: cellsOf(columns, row, NO_TIME) }))),
  };
};

/** An order behind an adjustment. */
type OrderRow = { readonly found: ReceivedAdjustment; readonly order: ReceivedAdjustment['orders'][number] };

const phaseOf = (order: OrderRow['order']['now']): string => (order === null ? 'not in it' : PHASE_WORDS[order.phase]);

const adjustedOrdersSheet = (
  title: string,
  received: readonly ReceivedAdjustment[],
  personal: PersonalData,
): Sheet<never> => {
  const columns: readonly RowColumn<OrderRow>[] = [
    rowColumn('Month', 10, 'text', ({ found }) => found.period),
    rowColumn('Flow', 10, 'text', ({ found }) => FLOW_WORDS[found.flow]),
    rowColumn('By day of', 12, 'text', ({ found }) => found.basis),
    rowColumn('Currency', 10, 'text', ({ found }) => shownText(found.currency, personal)),
    rowColumn('Order', 38, 'text', ({ order }) => shownText(order.orderId, personal)),
    rowColumn('At the close before', 20, 'text', ({ order }) => phaseOf(order.closed)),
    rowColumn('Amount then', 20, 'money', ({ order }) => order.closed?.fiat.amount ?? null),
    rowColumn('At this close', 20, 'text', ({ order }) => phaseOf(order.now)),
    rowColumn('Amount at this close', 20, 'money', ({ order }) => order.now?.fiat.amount ?? null),
    rowColumn('Events between', 40, 'text', ({ order }) => order.eventIds.join(' ')),
  ];
  const rows = received.flatMap((found) => found.orders.map((order): OrderRow => ({ found, order })));
  return {
    name: 'Adjusted orders',
    title: `${title}: orders behind adjustments of earlier months`,
    columns,
    isFiltered: true,
    rows: () => rowsAtHand(rows.map((row) => ({ cells: cellsOf(columns, row, NO_TIME) }))),
  };
};

const readinessSheet = (title: string, checks: readonly PeriodCheck[]): Sheet<never> => ({
  name: 'Readiness',
  title: `${title}: readiness at the close`,
  columns: CHECKS,
  rows: () => rowsAtHand(checks.map((check) => ({ cells: cellsOf(CHECKS, check, NO_TIME) }))),
});

/** What a close is called, in one line: `Close of 1 to 31 October 2026, Asia/Kolkata`. */
export const closeTitle = ({ closed: { data } }: Pick<CloseBook, 'closed'>): string =>
  `Close of ${daysWords({ from: firstDayOf(data.period), to: lastDayOf(data.period) })}, ${data.timeZone}`;

const aboutClose = ({ closed: { data, at, by }, history }: CloseBook, personal: PersonalData): readonly AboutLine[] => [
  ['Period', data.period],
  ['Time zone of its days', data.timeZone],
  ['First moment (UTC)', data.from],
  ['Ends before (UTC)', data.until],
  ['Closed at (UTC)', at],
  ['Closed by', by],
  ['Note', shownText(data.note, personal)],
  ['Closed with these open', (data.checks.every(({ ok }) => ok) ? ['nothing'] : openAtClose(data.checks)).join('; ')],
  ['As of position of the log', data.asOf?.position ?? 'before the first event'],
  ['Recorded at (UTC)', data.asOf?.at ?? '–'],
  ['SHA-256, on-ramp report', data.reports.onramp.sha256],
  ['SHA-256, off-ramp report', data.reports.offramp.sha256],
  [
    'How to check them',
    `They are the digests of GET /v1/reports/onramp?period=${data.period} and of …/offramp, as JSON.`,
  ],
  ['Signed checkpoint of the log', data.checkpoint ?? 'there was none'],
  ...history.map(({ at: when, by: who, what, note }): AboutLine => [
    'History',
    `${when} ${what} by ${who}${note === '' ? '' : `: ${shownText(note, personal)}`}`,
  ]),
  ['Figures', 'They never change. What came for this month later stands in the workbooks of later closes.'],
  ['Adjustments', 'What came for earlier months between the close before and this one.'],
  ['Numbers', 'A spreadsheet keeps 15 digits of a number: an amount with more is a text with all of them.'],
];

/**
 * The book of a closed month as a workbook. It was changed when the month was closed: the same close, with
 * personal data or without, is the same bytes.
 */
export const closeWorkbook = (book: CloseBook, personal: PersonalData): Promise<Buffer> => {
  const title = closeTitle(book);
  const reports = book.reports.map(({ question, answer }) => reportResource(question, answer, personal));
  return wholeWorkbook({
    title,
    modified: new Date(book.closed.at),
    sheets: [
      aboutSheet(title, () => aboutClose(book, personal), 'Close'),
      ...reports.flatMap((report): readonly Sheet<never>[] => {
        const name = `${FLOW_WORDS[report.flow]} ${report.basis}`;
        return [
          figuresSheet(name, report),
          tokensSheet(`${name}, tokens`, { ...report, groupBy: [], rows: report.totals }),
        ];
      }),
      readinessSheet(title, book.closed.data.checks),
      adjustmentsSheet(title, book.received, personal),
      adjustedOrdersSheet(title, book.received, personal),
    ],
  });
};
