import type { Position } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import type { AboutLine } from '../tables/workbook/about-sheet.ts';
import { daysWords } from '../words/days-words.ts';
import { FLOW_WORDS } from '../words/flow-words.ts';
import type { ExportRequest } from './export-request.ts';

/** Which moment of the log an export is of; null: before the first event. */
export type ExportMoment = { readonly position: Position | null; readonly recordedAt: Instant | null };

type Titled = Extract<ExportRequest, { readonly kind: 'orders' | 'reconciliation' }>;

/** What an export is of, in one line: `Off-ramp orders, settled 1 to 31 October 2026, Asia/Kolkata`. */
export const exportTitle = (request: Titled): string => {
  const { timeZone } = request;
  if (request.kind === 'reconciliation') {
    return `Reconciliation, ${daysWords({ from: request.choice.filter.from, to: request.choice.filter.to })}, ${timeZone}`;
  }
  const { flow, basis, from, to } = request.filter;
  const what = flow === null ? 'Orders' : `${FLOW_WORDS[flow]} orders`;
  return `${what}, ${basis} ${daysWords({ from, to })}, ${timeZone}`;
};

const FILTER_WORDS: ReadonlyMap<string, string> = new Map([
  ['flow', 'Flow'],
  ['status', 'Status'],
  ['currency', 'Currency'],
  ['token', 'Token'],
  ['chainId', 'Chain'],
  ['phase', 'Phase'],
  ['from', 'From day'],
  ['to', 'To day'],
  ['basis', 'By the day that it was'],
  ['q', 'Search'],
  ['anomaly', 'Anomaly'],
  ['asOf', 'As it was known at'],
  ['state', 'State'],
  ['rule', 'Rule'],
  ['break', 'Break'],
  ['account', 'Account'],
  ['orderId', 'Order'],
  ['lineId', 'Bank line'],
]);

/** What an export says of itself: its filters, its zone, its position, and how its numbers stand there. */
export const aboutExport = (request: Titled, { position, recordedAt }: ExportMoment): readonly AboutLine[] => {
  const filters = Object.entries(request.filters).map(([name, text]): AboutLine => [
    `Filter: ${FILTER_WORDS.get(name) ?? name}`,
    text,
  ]);
  return [
    ...(filters.length === 0 ? ([['Filters', 'none']] as const) : filters),
    ['Time zone of days and times', request.timeZone],
    ['As of position of the log', position ?? 'before the first event'],
    ['Recorded at (UTC)', recordedAt ?? '–'],
    ['Personal data', request.personal === 'shown' ? 'shown' : 'masked'],
    ['Numbers', 'A spreadsheet keeps 15 digits of a number: an amount with more is a text with all of them.'],
  ];
};
