import { apply, either as E, taskEither as TE } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import { GROUP_KEYS, type GroupKey } from '../../projections/report/index.ts';
import type { Flow } from '../domain/flow.ts';
import type { JsonObject } from '../domain/json.ts';
import type { Problem } from '../http/problem.ts';
import type { ReportAnswer, ReportQuestion } from '../read-models/read-models.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { basisParameter } from './order-filter-parameters.ts';
import { businessDay, oneOf, optional, type Parameters, type Reader } from './parameters.ts';
import { positionParameter, whenIncluded } from './position-parameter.ts';
import { behind } from './query-problems.ts';
import type { PersonalData } from './resources/order-resource.ts';
import { reportCsv } from './resources/report-csv.ts';
import { reportResource } from './resources/report-resource.ts';

/** What `GET /v1/reports/…` takes; `format` is read by `reportFormat`. */
export const REPORT_PARAMETERS = ['from', 'to', 'basis', 'groupBy', 'format', 'position'] as const;

const keyOf = oneOf(GROUP_KEYS);

/** Comma-separated, each at most once. */
const groupKeys: Reader<readonly GroupKey[]> = {
  expected: `any of ${GROUP_KEYS.join(', ')}, each once, separated by commas`,
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

const FORMATS = ['json', 'csv'] as const;

export type ReportFormat = (typeof FORMATS)[number];

/** The form that `format` asks for; null where it says nothing. */
export const reportFormat = (parameters: Parameters): E.Either<Problem, ReportFormat | null> =>
  optional(parameters, 'format', oneOf(FORMATS));

const reportQuestion = (flow: Flow, parameters: Parameters): E.Either<Problem, ReportQuestion> =>
  apply.sequenceS(E.Apply)({
    flow: E.right(flow),
    basis: basisParameter(parameters),
    from: optional(parameters, 'from', businessDay),
    to: optional(parameters, 'to', businessDay),
    groupBy: E.map((keys: readonly GroupKey[] | null) => keys ?? [])(optional(parameters, 'groupBy', groupKeys)),
  });

/** A report in each of the forms that it is given in; only the one that is asked for is made. */
export type ReportForms = {
  readonly json: () => JsonObject;
  readonly csv: () => string;
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
    name: [flow, 'report', basis, ...dates].filter((part) => part !== null).join('-'),
  };
};

/** The report of a flow (contract.md, A report). */
export const report =
  ({ store, readModels }: Pick<ApiDependencies, 'store' | 'readModels'>, flow: Flow) =>
  (parameters: Parameters, personal: PersonalData): TE.TaskEither<Problem, ReportForms> =>
    pipe(
      TE.fromEither(reportQuestion(flow, parameters)),
      TE.bindTo('question'),
      TE.bind('position', () => positionParameter(store, parameters)),
      TE.tap(({ position }) => whenIncluded({ store, readModels }, position)),
      TE.chain(({ question }) =>
        pipe(
          readModels.report(question),
          TE.bimap(behind, (answer) => formsOf(question, answer, personal)),
        ),
      ),
    );
