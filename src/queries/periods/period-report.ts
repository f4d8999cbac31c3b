import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Closed } from '../../../projections/periods/index.ts';
import type { Basis, GroupKey } from '../../../projections/report/index.ts';
import type { Flow } from '../../domain/flow.ts';
import { ownStream, type Revision } from '../../domain/ids.ts';
import { firstDayOf, lastDayOf, type Month } from '../../domain/month.ts';
import { unreadableEvent, type UnreadableEvent } from '../../domain/unreadable-event.ts';
import { branded } from '../../domain/brand.ts';
import type { CellsAnswer, ReportAnswer, ReportQuestion } from '../../read-models/read-models.ts';
import { REPORTS } from '../../read-models/reports.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { periodCells } from './period-cells.ts';
import { unpackFigures, type PeriodFigures } from './period-figures.ts';
import { boundedPeriod } from './read-period.ts';

/** What of a month's report is asked for. */
export type PeriodReportQuestion = {
  readonly flow: Flow;
  readonly basis: Basis;
  readonly groupBy: readonly GroupKey[];
  readonly month: Month;
};

/** The figures that a close has kept. */
export const closedFigures = ({
  data,
}: {
  readonly data: Pick<Closed['data'], 'period' | 'figures'>;
}): E.Either<UnreadableEvent, PeriodFigures> => {
  const place = { stream: ownStream('period', data.period), revision: branded<Revision>(0) };
  return E.fromNullable(unreadableEvent(place, 'the figures of its close are none that this ledger has packed'))(
    unpackFigures(data.figures),
  );
};

/** The report of a month as a question about its days. */
export const questionOf = ({ flow, basis, groupBy, month }: PeriodReportQuestion): ReportQuestion => ({
  flow,
  basis,
  groupBy,
  from: firstDayOf(month),
  to: lastDayOf(month),
});

/** A report from the cells of a month. */
export const reportOfCells = (
  { flow, groupBy }: Pick<PeriodReportQuestion, 'flow' | 'groupBy'>,
  { cells, timeZone, asOf }: CellsAnswer,
): ReportAnswer => ({ ...REPORTS[flow].report(groupBy, cells), timeZone, asOf });

/** The report of a closed month, from what its close has kept. */
const closedReport = (question: PeriodReportQuestion, closed: Closed): E.Either<UnreadableEvent, ReportAnswer> =>
  E.map((figures: PeriodFigures) =>
    reportOfCells(question, {
      cells: figures[question.flow][question.basis],
      timeZone: closed.data.timeZone,
      asOf: closed.data.asOf,
    }),
  )(closedFigures(closed));

type Deps = Pick<QueryDependencies, 'store' | 'readModels' | 'calendar'>;

/** The report of a month: as it was closed, or what it is now. */
export const periodReport = (deps: Deps, question: PeriodReportQuestion): TE.TaskEither<QueryFailure, ReportAnswer> =>
  pipe(
    boundedPeriod(deps.store, deps.calendar, question.month),
    TE.chain(({ closed, from, until }): TE.TaskEither<QueryFailure, ReportAnswer> => {
      if (closed !== null) return TE.fromEither(closedReport(question, closed));
      return pipe(
        periodCells(deps.readModels, { ...question, from, until }),
        TE.map((answer) => reportOfCells(question, answer)),
      );
    }),
  );
