import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { GROUP_KEYS, type GroupKey } from '../../../projections/report/index.ts';
import { parseMonth, type Month } from '../../domain/month.ts';
import type { Flow } from '../../domain/flow.ts';
import type { ReportAnswer, ReportQuestion } from '../../read-models/read-models.ts';
import { SHEET_ROWS } from '../exports/fits-in-sheet.ts';
import { illFormed, type InvalidParameter, type QueryFailure, type TooManyRows } from '../failure/query-failure.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { shownText } from '../masking/shown-text.ts';
import { basisOf, REPORT_PERIOD_PARAMETERS } from '../orders/order-filter-parameters.ts';
import { asOfParameter, asOfText } from '../parameters/as-of-parameter.ts';
import { oneOf, parameter, positionText, type Query, type Reader } from '../parameters/parameters.ts';
import { publicText } from '../parameters/public-text.ts';
import { positionParameter, whenIncluded, type Including } from '../parameters/position-parameter.ts';
import { periodReport, questionOf } from '../periods/period-report.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { daysInName } from '../words/days-in-name.ts';
import { reportCsv } from './report-csv.ts';
import { reportJson, reportResource, type ReportResource } from './report-resource.ts';
import { reportWorkbook } from './report-workbook.ts';

const keyOf = oneOf(GROUP_KEYS);

/** Comma-separated, each at most once. */
const groupKeys: Reader<readonly GroupKey[]> = {
  expected: `any of ${GROUP_KEYS.join(', ')}, each once, separated by commas`,
  schema: { type: 'string', examples: ['day,currency'] },
  words: GROUP_KEYS,
  read: (text) => {
    const keys: GroupKey[] = [];
    for (const word of text.split(',')) {
      const key = keyOf.read(word);
      if (key === null || keys.includes(key)) return null;
      keys.push(key);
    }
    return keys;
  },
};

const month: Reader<Month> = {
  expected: 'a month as 2026-03',
  schema: { type: 'string', pattern: String.raw`^\d{4}-(0[1-9]|1[0-2])$` },
  read: parseMonth,
};

const FORMATS = ['json', 'csv', 'xlsx'] as const;

export type ReportFormat = (typeof FORMATS)[number];

/** The parameters of a report. */
export const REPORT_PARAMETERS = {
  ...REPORT_PERIOD_PARAMETERS,
  groupBy: parameter('Comma-separated: `day`, `month`, `currency`, `token`, `chain`.', groupKeys),
  currency: parameter('Rows and totals of this currency alone, in any letter case.', publicText),
  format: parameter('The form of the answer; without it `Accept` decides.', oneOf(FORMATS)),
  asOf: asOfText,
  period: parameter('A month, `2026-03`: as it was closed, or, while it is open, what it is now.', month),
  position: positionText,
} as const;

type ReportQuery = Query<typeof REPORT_PARAMETERS>;

/** The question that the parameters of a report ask. */
const reportQuestion = (
  flow: Flow,
  { basis, from, to, groupBy }: Pick<ReportQuery, 'basis' | 'from' | 'to' | 'groupBy'>,
): ReportQuestion => ({
  flow,
  basis: basisOf(basis),
  from,
  to,
  groupBy: groupBy ?? [],
});

/** A report in each of the forms that it is given in; only the one that is asked for is made. */
export type ReportForms = {
  readonly resource: () => ReportResource;
  readonly json: () => string;
  readonly csv: () => string;
  readonly xlsx: TE.TaskEither<TooManyRows, Buffer>;
  /** A name for a file with it, without its ending. */
  readonly name: string;
};

const formsOf = ({ question, answer, currency }: AnsweredReport, personal: PersonalData): ReportForms => {
  const { flow, basis, from, to, groupBy } = question;
  const resource = () => reportResource(question, answer, personal);
  return {
    resource,
    json: () => reportJson(question, answer, personal),
    csv: () => reportCsv(groupBy, resource().rows),
    xlsx: () =>
      answer.rows.length > SHEET_ROWS
        ? Promise.resolve(E.left({ _tag: 'TooManyRows', most: SHEET_ROWS }))
        : reportWorkbook(resource(), currency === null ? null : shownText(currency, personal)).then(E.right),
    name: [flow, 'report', ...currencyInName(currency), basis, ...daysInName({ from, to })].join('-'),
  };
};

/** What is asked of a report. */
export type AskedReport = Including & {
  readonly question: ReportQuestion;
  /** As it came; the read models say which moment it is. */
  readonly asOf: string | null;
  /** A month in place of days. */
  readonly period: Month | null;
  /** In upper case; null: all. */
  readonly currency: string | null;
};

/** Days, and a moment, say something else than a month does. */
const withoutDays = ({ from, to, asOf, period }: ReportQuery): E.Either<InvalidParameter, void> => {
  if (period === null) return E.right(undefined);
  const [beside] = Object.entries({ from, to, asOf }).flatMap(([name, value]) => (value === null ? [] : [name]));
  return beside === undefined ? E.right(undefined) : E.left(illFormed(beside, 'nothing beside period'));
};

/** Reads what the parameters of a report ask for. */
export const parseReport =
  ({ store }: Pick<QueryDependencies, 'store'>, flow: Flow) =>
  (query: ReportQuery): TE.TaskEither<QueryFailure, AskedReport> =>
    pipe(
      TE.fromEither(withoutDays(query)),
      TE.chainW(() => positionParameter(store, query.position)),
      TE.map((included) => ({
        question: reportQuestion(flow, query),
        included,
        asOf: query.asOf,
        period: query.period,
        currency: query.currency?.toUpperCase() ?? null,
      })),
    );

type ReportDependencies = Pick<QueryDependencies, 'store' | 'readModels' | 'calendar' | 'now'>;

/** A question with its answer. */
export type AnsweredReport = {
  readonly question: ReportQuestion;
  readonly answer: ReportAnswer;
  /** The one that the answer is of, in upper case; null: all. */
  readonly currency: string | null;
};

/** The answer with one currency alone, where one is chosen; in upper case. */
export const inCurrency = (answer: ReportAnswer, currency: string | null): ReportAnswer => {
  if (currency === null) return answer;
  const of = (sums: { readonly currency: string }): boolean => sums.currency === currency;
  return { ...answer, rows: answer.rows.filter(of), totals: answer.totals.filter(of) };
};

/** A currency as it may stand in the name of a file. */
export const currencyInName = (currency: string | null): readonly string[] =>
  currency !== null && /^[A-Z]{3}$/.test(currency) ? [currency.toLowerCase()] : [];

/** The report that was asked for, of days, of a moment or of a month. */
export const reportAnswer =
  (deps: ReportDependencies) =>
  ({ question, included, asOf, period, currency }: AskedReport): TE.TaskEither<QueryFailure, AnsweredReport> => {
    if (period !== null) {
      const ofMonth = { ...question, month: period };
      return pipe(
        whenIncluded(deps, included),
        TE.chain(() => periodReport(deps, ofMonth)),
        TE.map((answer) => ({ question: questionOf(ofMonth), answer: inCurrency(answer, currency), currency })),
      );
    }
    return pipe(
      whenIncluded(deps, included),
      TE.chain(() => asOfParameter(deps, asOf)),
      TE.map((moment): ReportQuestion => (moment === undefined ? question : { ...question, asOf: moment })),
      TE.bindTo('question'),
      TE.bindW('answer', (found) => deps.readModels.report(found.question)),
      TE.map((found) => ({ question: found.question, answer: inCurrency(found.answer, currency), currency })),
    );
  };

/** The report of a flow (docs/spec/http.md, A report). */
export const report =
  (deps: ReportDependencies, personal: PersonalData) =>
  (asked: AskedReport): TE.TaskEither<QueryFailure, ReportForms> =>
    pipe(
      reportAnswer(deps)(asked),
      TE.map((found) => formsOf(found, personal)),
    );
