import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { BusinessDay } from '../../domain/business-day.ts';
import { lastDayOf, monthBefore, monthOfDay, type Month } from '../../domain/month.ts';
import { EVERY_ORDER } from '../../read-models/order-filter.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { readListedPeriods } from './read-period.ts';

/** So many are looked at: whoever closes none is not told of more each time. */
const MOST = 12;

type Deps = Pick<QueryDependencies, 'store' | 'readModels' | 'calendar' | 'now'>;

/** The month of the newest order that was created up to a day; null where there is none. */
const newestMonth = ({ readModels, calendar, now }: Deps, to: BusinessDay): TE.TaskEither<QueryFailure, Month | null> =>
  pipe(
    readModels.orders({ filter: { ...EVERY_ORDER, to }, after: null, limit: 1, now: now(), counted: false }),
    TE.map(({ data: [order] }) => (order === undefined ? null : monthOfDay(calendar.dayOf(order.createdAt)))),
  );

/**
 * Months with orders that are over and not closed, the newest first, back to the last one that is closed: a question for one
 * order and a stream for each, and for one month more.
 */
export const monthsToClose = (deps: Deps): TE.TaskEither<QueryFailure, readonly Month[]> => {
  const from = (last: Month | null, found: readonly Month[]): TE.TaskEither<QueryFailure, readonly Month[]> =>
    last === null || found.length >= MOST
      ? TE.right(found)
      : pipe(
          newestMonth(deps, lastDayOf(last)),
          TE.chain((month) =>
            month === null
              ? TE.right(found)
              : pipe(
                  readListedPeriods(deps.store, [month]),
                  TE.chain(([period]) =>
                    // Of one that can't be read nobody can say whether it is closed; the page of the months says so.
                    period === undefined || period.unreadable !== null || period.closed !== null
                      ? TE.right(found)
                      : from(monthBefore(month), [...found, month]),
                  ),
                ),
          ),
        );
  return from(monthBefore(monthOfDay(deps.calendar.dayOf(deps.now()))), []);
};
