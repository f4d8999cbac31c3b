import type { ReportRow } from '../../../projections/report/index.ts';
import type { Phase } from '../../domain/status.ts';
import { shownText } from '../../queries/masking/shown-text.ts';
import type { ReportQuestion } from '../../read-models/read-models.ts';
import type { ConsoleQuestion } from '../console-question.ts';
import { withParameters } from '../links.ts';

/** The last day of a month `2026-01`. */
const lastDayOf = (month: string): string => {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const day = new Date(Date.UTC(2000, number, 0)).getUTCDate();
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return `${month}-${number === 2 ? (isLeap ? 29 : 28) : day}`;
};

const later = (a: string, b: string | null): string => (b !== null && b > a ? b : a);
const earlier = (a: string, b: string | null): string => (b !== null && b < a ? b : a);

/** The days that a row is of: those of its day or month that the report is of too. */
const daysOf = ({ day, month }: RowOf, { from, to }: AskedOf) => {
  if (day !== undefined) return { from: day, to: day };
  if (month !== undefined) return { from: later(`${month}-01`, from), to: earlier(lastDayOf(month), to) };
  return { from, to };
};

/** What a cell is of, beyond its row. */
export type CellOf = { readonly phase?: Phase; readonly status?: string; readonly anomaly?: 'lasting' };

/** What a row of a report is of. One without a currency is of all of them: counts may be added, amounts never. */
export type RowOf = Partial<Pick<ReportRow, 'day' | 'month' | 'token' | 'chainId' | 'currency'>>;

/** What of a question decides which orders its figures are of. */
export type AskedOf = Pick<ReportQuestion, 'flow' | 'basis' | 'from' | 'to' | 'asOf'>;

/** Where the orders of a figure are listed; null for somebody who can't see them. */
export type OrdersBehind = (row: RowOf, cell?: CellOf) => string | null;

/** The list of exactly the orders that a cell stands for (docs/spec/domain.md, Reports: they sum to it). */
const rowOrders = (row: RowOf, question: AskedOf, { phase, status, anomaly }: CellOf): string =>
  withParameters('/console/orders', {
    flow: question.flow,
    currency: row.currency ?? null,
    token: row.token ?? null,
    chainId: row.chainId ?? null,
    ...daysOf(row, question),
    basis: question.basis === 'settled' ? 'settled' : null,
    phase: phase ?? null,
    status: status ?? null,
    anomaly: anomaly ?? null,
    asOf: question.asOf?.checkpoint?.position ?? null,
  });

/**
 * Leads from figures to orders, for those who may list them. A text that holds an e-mail address stands in no URL of
 * somebody who may not see it.
 */
export const ordersBehind =
  (question: AskedOf, { session, personal }: Pick<ConsoleQuestion, 'session' | 'personal'>): OrdersBehind =>
  (row, cell = {}) => {
    if (!session.key.scopes.has('orders:read')) return null;
    const texts = [row.currency ?? '', row.token ?? '', cell.status ?? ''];
    if (texts.some((text) => shownText(text, personal) !== text)) return null;
    return rowOrders(row, question, cell);
  };
