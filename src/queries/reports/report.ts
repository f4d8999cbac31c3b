import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { GROUP_KEYS, type GroupKey } from '../../../projections/report/index.ts';
import type { Flow } from '../../domain/flow.ts';
import type { ReportAnswer, ReportQuestion } from '../../read-models/read-models.ts';
import { SHEET_ROWS } from '../exports/fits-in-sheet.ts';
import type { QueryFailure, TooManyRows } from '../failure/query-failure.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { basisOf, PERIOD_PARAMETERS } from '../orders/order-filter-parameters.ts';
import { asOfParameter, asOfText } from '../parameters/as-of-parameter.ts';
import { oneOf, parameter, positionText, type Query, type Reader } from '../parameters/parameters.ts';
import { positionParameter, whenIncluded, type Including } from '../parameters/position-parameter.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { reportCsv } from './report-csv.ts';
import { reportResource, type ReportResource } from './report-resource.ts';
import { reportXlsx } from './report-xlsx.ts';

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

const FORMATS = ['json', 'csv', 'xlsx'] as const;

export type ReportFormat = (typeof FORMATS)[number];

/** The parameters of a report. */
export const REPORT_PARAMETERS = {
  ...PERIOD_PARAMETERS,
  groupBy: parameter('Comma-separated: `day`, `month`, `currency`, `token`, `chain`.', groupKeys),
  format: parameter('The form of the answer; without it `Accept` decides.', oneOf(FORMATS)),
  asOf: asOfText,
  position: positionText,
} as const;

type ReportQuery = Query<typeof REPORT_PARAMETERS>;

/** The question that the parameters of a report ask. */
export const reportQuestion = (
  flow: Flow,
  { basis, from, to, groupBy }: Omit<ReportQuery, 'format' | 'position' | 'asOf'>,
): ReportQuestion => ({
  flow,
  basis: basisOf(basis),
  from,
  to,
  groupBy: groupBy ?? [],
});

/** A report in each of the forms that it is given in; only the one that is asked for is made. */
export type ReportForms = {
  readonly json: () => ReportResource;
  readonly csv: () => string;
  readonly xlsx: TE.TaskEither<TooManyRows, Buffer>;
  /** A name for a file with it, without its ending. */
  readonly name: string;
};

const formsOf = (question: ReportQuestion, answer: ReportAnswer, personal: PersonalData): ReportForms => {
  const { flow, basis, from, to, groupBy } = question;
  const resource = () => reportResource(question, answer, personal);
  const dates = [from === null ? null : `from-${from}`, to === null ? null : `to-${to}`];
  return {
    json: resource,
    csv: () => reportCsv(groupBy, resource().rows),
    xlsx: () =>
      answer.rows.length > SHEET_ROWS
        ? Promise.resolve(E.left({ _tag: 'TooManyRows', most: SHEET_ROWS }))
        : reportXlsx(groupBy, resource()).then(E.right),
    name: [flow, 'report', basis, ...dates].filter((part) => part !== null).join('-'),
  };
};

/** What is asked of a report. */
export type AskedReport = Including & {
  readonly question: ReportQuestion;
  /** As it came; the read models say which moment it is. */
  readonly asOf: string | null;
};

/** Reads what the parameters of a report ask for. */
export const parseReport =
  ({ store }: Pick<QueryDependencies, 'store'>, flow: Flow) =>
  (query: ReportQuery): TE.TaskEither<QueryFailure, AskedReport> =>
    pipe(
      positionParameter(store, query.position),
      TE.map((included) => ({ question: reportQuestion(flow, query), included, asOf: query.asOf })),
    );

/** The report of a flow (docs/spec/http.md, A report). */
export const report =
  (deps: Pick<QueryDependencies, 'store' | 'readModels' | 'now'>, personal: PersonalData) =>
  ({ question, included, asOf }: AskedReport): TE.TaskEither<QueryFailure, ReportForms> =>
    pipe(
      whenIncluded(deps, included),
      TE.chain(() => asOfParameter(deps, asOf)),
      TE.chainW((moment) => deps.readModels.report(moment === undefined ? question : { ...question, asOf: moment })),
      TE.map((answer) => formsOf(question, answer, personal)),
    );
