import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { FLOWS } from '../../domain/flow.ts';
import { monthBefore, monthOfDay, parseMonth, type Month } from '../../domain/month.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { BASES } from './period-figures.ts';

/** A hundred years: what is said to be older has a wrong date, and is listed only where it has figures. */
const MOST_FOLLOWING = 1_200;

const MONTH = '2026-03'.length;

type Deps = Pick<QueryDependencies, 'readModels' | 'calendar' | 'now'>;

/** Months with figures on either basis. */
const withFigures = ({ readModels }: Deps): TE.TaskEither<QueryFailure, ReadonlySet<Month>> =>
  pipe(
    FLOWS.flatMap((flow) => BASES.map((basis) => ({ flow, basis, from: null, to: null, groupBy: ['month'] as const }))),
    TE.traverseArray((question) => readModels.cells(question)),
    TE.map((answers) => {
      const months = answers.flatMap(({ cells }) => cells.map(({ period }) => parseMonth(period.slice(0, MONTH))));
      return new Set(months.filter((month) => month !== null));
    }),
  );

const monthsBetween = (first: Month, last: Month, found: ReadonlySet<Month>): readonly Month[] => {
  const months: Month[] = [];
  for (let month: Month | null = last; month !== null && month >= first; month = monthBefore(month)) {
    if (months.length < MOST_FOLLOWING || found.has(month)) months.push(month);
  }
  return months;
};

/** Every month from the first with figures to the current one, newest first. */
export const listedMonths = (deps: Deps): TE.TaskEither<QueryFailure, readonly Month[]> =>
  pipe(
    withFigures(deps),
    TE.map((found) => {
      const current = monthOfDay(deps.calendar.dayOf(deps.now()));
      const [first] = [...found].toSorted();
      return first === undefined ? [] : monthsBetween(first, current, found);
    }),
  );
