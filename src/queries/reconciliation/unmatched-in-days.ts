import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { isUnmatched } from '../../../projections/match/match-item.ts';
import type { BusinessDay } from '../../domain/business-day.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';

/** Bank lines and payouts of some days. */
export type InDays = {
  readonly unmatched: number;
  /** What is still brought into the match, whichever days it is of: it may be unmatched, or known already. */
  readonly due: number;
};

export type UnmatchedDependencies = Pick<QueryDependencies, 'readModels' | 'calendar' | 'matchDueDays' | 'now'>;

/** How many bank lines and payouts of some days are unmatched; null as long as no statement was imported. */
export const unmatchedInDays = (
  deps: UnmatchedDependencies,
  from: BusinessDay,
  to: BusinessDay,
): TE.TaskEither<QueryFailure, InDays | null> =>
  pipe(
    deps.readModels.matchSummary({
      filter: { from, to, currency: null, flow: null, account: null },
      day: { today: deps.calendar.dayOf(deps.now()), dueDays: deps.matchDueDays },
    }),
    TE.map(({ hasStatements, due, rows }) => {
      if (!hasStatements) return null;
      const open = rows.filter(({ state, flow }) => isUnmatched(state, flow));
      // The days of a large file come behind its last line, and tell what lacks at the bank: until then something is due.
      const waiting = due === null ? 0 : Math.max(1, due.lines);
      return { unmatched: open.reduce((sum, { itemsOnce }) => sum + itemsOnce, 0), due: waiting };
    }),
  );
