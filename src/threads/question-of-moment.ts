import { readUrlEncoded } from '../http/url-encoded.ts';
import type { Question } from './query-message.ts';

/** A question that the read models of now don't answer. */
export type PastQuestion = Extract<Question, { readonly _tag: 'Orders' | 'Report' | 'Cells' | 'Changes' }>;

/** The question, where it is of a moment, or of what has changed since one; null: the read models of now answer it. */
export const pastQuestion = (question: Question): PastQuestion | null => {
  if (question._tag === 'Changes') return question;
  const isAsked = question._tag === 'Orders' || question._tag === 'Report' || question._tag === 'Cells';
  return isAsked && question.question.asOf !== undefined ? question : null;
};

/** Routes and pages of closed months: they are held against what came since, and against earlier closes. */
const OF_CLOSED_MONTHS: ReadonlySet<string> = new Set([
  'listPeriods',
  'getPeriod',
  'listPeriodAdjustments',
  'getPeriodWorkbook',
  '/console/periods',
  '/console/periods/{period}',
  '/console/periods/{period}/print',
  '/console/files/periods/{period}',
]);

/** What is asked of a month whole, with all its figures, or with those of all months before it. */
const OF_MONTHS: ReadonlySet<Question['_tag']> = new Set(['Closing', 'Adjusted', 'MonthChecks']);

/** Whether a page may be the report of a closed month: it names one, or days that end with one. */
const mayBeOfClosedMonth = (route: string, asked: URLSearchParams): boolean =>
  route.startsWith('/console/reports/') &&
  (asked.has('period') || asked.has('to') || asked.get('range') === 'last-month');

/** Whether a question is of a moment: its answer may take seconds. */
export const isOfMoment = (question: Question): boolean => {
  if (question._tag === 'Handed') {
    const { routeId, question: asked } = question.handed;
    return OF_CLOSED_MONTHS.has(routeId) || asked.texts.some(([name]) => name === 'asOf');
  }
  if (question._tag === 'Page') {
    const { route, querystring } = question.handed.page;
    const asked = readUrlEncoded(querystring);
    if (OF_CLOSED_MONTHS.has(route)) return true;
    return asked !== null && (asked.has('asOf') || mayBeOfClosedMonth(route, asked));
  }
  return OF_MONTHS.has(question._tag) || pastQuestion(question) !== null;
};
