import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { FLOWS } from '../../domain/flow.ts';
import { parseMonth } from '../../domain/month.ts';
import type { ReadModels } from '../../read-models/read-models.ts';
import type { MonthReckoning } from './month-reckoning.ts';
import { BASES } from './period-figures.ts';

const MONTH = '2026-03'.length;

/** Months with figures on either basis, by read models: by the cells of each month, of all its currencies. */
export const monthsWithFigures =
  (readModels: Pick<ReadModels, 'cells'>): MonthReckoning['monthsWithFigures'] =>
  () =>
    pipe(
      FLOWS.flatMap((flow) =>
        BASES.map((basis) => ({ flow, basis, from: null, to: null, groupBy: ['month'] as const })),
      ),
      TE.traverseArray((question) => readModels.cells(question)),
      TE.map((answers) => {
        const months = answers.flatMap(({ cells }) => cells.map(({ period }) => parseMonth(period.slice(0, MONTH))));
        return new Set(months.filter((month) => month !== null));
      }),
    );
