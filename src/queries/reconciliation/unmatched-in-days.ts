import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { isUnmatched } from '../../../projections/match/match-item.ts';
import type { BusinessDay } from '../../domain/business-day.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';

/** How many bank lines and payouts of some days are unmatched; null as long as no statement was imported. */
export const unmatchedInDays = (
  deps: Pick<QueryDependencies, 'readModels' | 'calendar' | 'matchDueDays' | 'now'>,
  from: BusinessDay,
  to: BusinessDay,
): TE.TaskEither<QueryFailure, number | null> =>
  pipe(
    deps.readModels.matchSummary({
      filter: { from, to, currency: null, flow: null, account: null },
      day: { today: deps.calendar.dayOf(deps.now()), dueDays: deps.matchDueDays },
    }),
    // A line that is still brought into the match is matched with nothing yet, whichever day it is of.
    TE.map(({ hasStatements, due, rows }) =>
      hasStatements
        ? rows
            .filter(({ state, flow }) => isUnmatched(state, flow))
            .reduce((sum, { items }) => sum + items, due?.lines ?? 0)
        : null,
    ),
  );
