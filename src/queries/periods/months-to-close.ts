import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { monthOfDay, type Month } from '../../domain/month.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { monthsWithFigures } from './months.ts';
import { readListedPeriods, type PeriodStore } from './read-period.ts';

/** So many are named: whoever closes none is not told of more each time. */
const MOST = 12;

/** The first of some months that are open, in their order. Closed ones are gone through: each was closed by somebody. */
const openAmong = (
  store: PeriodStore,
  months: readonly Month[],
  found: readonly Month[] = [],
): TE.TaskEither<QueryFailure, readonly Month[]> => {
  const wanted = MOST - found.length;
  return wanted === 0 || months.length === 0
    ? TE.right(found)
    : pipe(
        readListedPeriods(store, months.slice(0, MOST)),
        TE.chain((periods) => {
          // Of one that can't be read nobody can say whether it is closed; the page of the months says so.
          const open = periods.flatMap((its) => (its.unreadable === null && its.closed === null ? [its.period] : []));
          return openAmong(store, months.slice(MOST), [...found, ...open.slice(0, wanted)]);
        }),
      );
};

/**
 * Months with figures, by creation or by settlement, that are over and not closed, the newest first; also those that stayed open
 * before one that was closed despite it (docs/spec/finance.md, Periods). A question for the months with figures, and a stream for
 * each that is looked at.
 */
export const monthsToClose = (
  deps: Pick<QueryDependencies, 'store' | 'readModels' | 'calendar' | 'now'>,
): TE.TaskEither<QueryFailure, readonly Month[]> => {
  const current = monthOfDay(deps.calendar.dayOf(deps.now()));
  return pipe(
    monthsWithFigures(deps),
    TE.chain((months) =>
      openAmong(
        deps.store,
        [...months]
          .filter((month) => month < current)
          .toSorted()
          .toReversed(),
      ),
    ),
  );
};
