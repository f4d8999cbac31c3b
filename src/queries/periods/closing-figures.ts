import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Basis, ReportCell } from '../../../projections/report/index.ts';
import type { Flow } from '../../domain/flow.ts';
import type { Sha256 } from '../../domain/ids.ts';
import { sha256 } from '../../domain/sha256.ts';
import type { ReadModels } from '../../read-models/read-models.ts';
import { ReportResource, reportResource } from '../reports/report-resource.ts';
import type { ClosingFailure, ClosingFigures, ClosingQuestion, MonthReckoning } from './month-reckoning.ts';
import { periodCells } from './period-cells.ts';
import { packFigures, type PeriodFigures } from './period-figures.ts';
import { questionOf, reportOfCells } from './period-report.ts';

type Models = Pick<ReadModels, 'cells' | 'orders'>;

/** Figures of both flows by both bases, all of one moment of the log. */
const figuresAsOf = (
  models: Models,
  { timeZone, ...question }: ClosingQuestion,
): TE.TaskEither<ClosingFailure, PeriodFigures> => {
  const cellsOf = (flow: Flow, basis: Basis): TE.TaskEither<ClosingFailure, readonly ReportCell[]> =>
    pipe(
      periodCells(models, { flow, basis, ...question }),
      TE.chainW((answer): TE.TaskEither<ClosingFailure, readonly ReportCell[]> =>
        answer.timeZone === timeZone
          ? TE.right(answer.cells)
          : TE.left({
              _tag: 'ReadModelsBehind',
              detail: `the read models are still of the time zone ${answer.timeZone}`,
            }),
      ),
    );
  const ofFlow = (flow: Flow) =>
    pipe(
      TE.Do,
      TE.bind('created', () => cellsOf(flow, 'created')),
      TE.bind('settled', () => cellsOf(flow, 'settled')),
    );
  return pipe(
    TE.Do,
    TE.bind('onramp', () => ofFlow('onramp')),
    TE.bind('offramp', () => ofFlow('offramp')),
  );
};

/** The digest of a report of the month, as JSON by creation. */
const digestOf = (flow: Flow, { month, timeZone, asOf }: ClosingQuestion, figures: PeriodFigures): Sha256 => {
  const question = { flow, basis: 'created', groupBy: [], month } as const;
  const answer = reportOfCells(question, { cells: figures[flow].created, timeZone, asOf: asOf.checkpoint });
  return sha256(JSON.stringify(ReportResource.encode(reportResource(questionOf(question), answer, 'masked'))));
};

/** The figures of a close, from read models. */
export const closingFigures =
  (models: Models): MonthReckoning['closingFigures'] =>
  (question) =>
    pipe(
      figuresAsOf(models, question),
      TE.map((figures): ClosingFigures => ({
        reports: {
          onramp: { sha256: digestOf('onramp', question, figures) },
          offramp: { sha256: digestOf('offramp', question, figures) },
        },
        figures: packFigures(figures),
      })),
    );
