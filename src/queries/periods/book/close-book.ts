import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Closed, Period } from '../../../../projections/periods/index.ts';
import type { GroupKey } from '../../../../projections/report/index.ts';
import { FLOWS } from '../../../domain/flow.ts';
import type { ReportAnswer, ReportQuestion } from '../../../read-models/read-models.ts';
import type { QueryFailure } from '../../failure/query-failure.ts';
import type { QueryDependencies } from '../../query-dependencies.ts';
import { knownPeriod } from '../known-period.ts';
import { BASES } from '../period-figures.ts';
import { periodReport, questionOf } from '../period-report.ts';
import { receivedAdjustments, type ReceivedAdjustment } from './received-adjustments.ts';

/** A closed month as a book: who closed it and how, its reports, and what came for earlier months until then. */
export type CloseBook = {
  readonly closed: Closed;
  readonly history: Period['history'];
  /** Of both flows by both bases. */
  readonly reports: readonly { readonly question: ReportQuestion; readonly answer: ReportAnswer }[];
  readonly received: readonly ReceivedAdjustment[];
};

const NOT_CLOSED: QueryFailure = { _tag: 'PeriodNotClosed' };

/** The book of a closed month; an open one has none. Its figures never change (docs/spec/finance.md, Periods). */
export const closeBook = (
  deps: Pick<QueryDependencies, 'store' | 'readModels' | 'calendar' | 'now'>,
  name: string,
  groupBy: readonly GroupKey[],
): TE.TaskEither<QueryFailure, CloseBook> =>
  pipe(
    knownPeriod(deps, name),
    TE.chainEitherKW(({ period: { closed, history } }) =>
      closed === null ? E.left(NOT_CLOSED) : E.right({ closed, history }),
    ),
    TE.bindW('reports', ({ closed }) =>
      pipe(
        FLOWS.flatMap((flow) => BASES.map((basis) => ({ flow, basis, groupBy, month: closed.data.period }))),
        TE.traverseSeqArray((question) =>
          TE.map((answer: ReportAnswer) => ({ question: questionOf(question), answer }))(periodReport(deps, question)),
        ),
      ),
    ),
    TE.bindW('received', ({ closed }) => receivedAdjustments(deps, closed)),
  );
