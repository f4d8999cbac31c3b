import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { SHEET_ROWS } from '../exports/fits-in-sheet.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { shownText } from '../masking/shown-text.ts';
import type { Query } from '../parameters/parameters.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { daysInName } from '../words/days-in-name.ts';
import { bothFlowsWorkbook } from './both-flows-workbook.ts';
import {
  currencyInName,
  parseReport,
  reportAnswer,
  REPORT_PARAMETERS,
  type AnsweredReport,
  type AskedReport,
} from './report.ts';
import { reportResource } from './report-resource.ts';

const { format: _format, period: _period, ...PARAMETERS } = REPORT_PARAMETERS;

/** The parameters of the workbook of both flows: those of a report, but that it is a workbook and of days. */
export const BOTH_FLOWS_PARAMETERS = PARAMETERS;

type Dependencies = Pick<QueryDependencies, 'store' | 'readModels' | 'calendar' | 'now'>;

/** A workbook, and what a file with it is called. */
export type BothFlows = { readonly xlsx: Buffer; readonly name: string };

const positionIn = ({ answer: { asOf } }: AnsweredReport): string | null => asOf?.position ?? null;

type Reports = { readonly onRamp: AnsweredReport; readonly offRamp: AnsweredReport };

/** The reports of both flows as of where the first one was read. */
const reportsOfOneMoment =
  (deps: Dependencies) =>
  (asked: AskedReport): TE.TaskEither<QueryFailure, Reports> => {
    const other = { ...asked, question: { ...asked.question, flow: 'offramp' as const } };
    return pipe(
      reportAnswer(deps)(asked),
      TE.bindTo('onRamp'),
      TE.bind('offRamp', () => reportAnswer(deps)(other)),
      TE.chain((found) => {
        const asOf = positionIn(found.onRamp);
        if (asOf === positionIn(found.offRamp)) return TE.right(found);
        // The first event of all was recorded between the two: there is no position before it.
        if (asOf === null) return reportsOfOneMoment(deps)(asked);
        // Something was recorded between the two: what was known before it.
        return pipe(
          reportAnswer(deps)({ ...other, included: null, asOf }),
          TE.map((offRamp): Reports => ({ ...found, offRamp })),
        );
      }),
    );
  };

/** Reads what the parameters of the workbook ask for. */
export const parseBothFlows =
  (deps: Pick<QueryDependencies, 'store'>) =>
  (query: Query<typeof BOTH_FLOWS_PARAMETERS>): TE.TaskEither<QueryFailure, AskedReport> =>
    parseReport(deps, 'onramp')({ ...query, format: null, period: null });

/** The reports of both flows as one workbook, both of one position (docs/spec/http.md, A report). */
export const bothFlows =
  (deps: Dependencies, personal: PersonalData) =>
  (asked: AskedReport): TE.TaskEither<QueryFailure, BothFlows> =>
    pipe(
      reportsOfOneMoment(deps)(asked),
      TE.chain(({ onRamp, offRamp }): TE.TaskEither<QueryFailure, BothFlows> => {
        const found = [onRamp, offRamp];
        if (found.some(({ answer }) => answer.rows.length > SHEET_ROWS)) {
          return TE.left({ _tag: 'TooManyRows', most: SHEET_ROWS });
        }
        const { currency } = asked;
        const { basis, from, to } = onRamp.question;
        return TE.fromTask(async () => ({
          xlsx: await bothFlowsWorkbook(
            reportResource(onRamp.question, onRamp.answer, personal),
            reportResource(offRamp.question, offRamp.answer, personal),
            currency === null ? null : shownText(currency, personal),
          ),
          name: ['onramp-and-offramp', 'report', ...currencyInName(currency), basis, ...daysInName({ from, to })].join(
            '-',
          ),
        }));
      }),
    );
