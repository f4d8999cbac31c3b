import { setImmediate as turn } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { foldPeriod, type Period } from '../../../projections/periods/index.ts';
import { atMost } from '../../concurrency/at-most.ts';
import type { Calendar } from '../../domain/business-day.ts';
import { ownStream } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import { firstDayOf, lastDayOf, monthAfter, monthBefore, parseMonth, type Month } from '../../domain/month.ts';
import { readOwnEvent } from '../../domain/own-event/own-event.ts';
import { illFormed, type InvalidParameter, type QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';

export type PeriodStore = Pick<QueryDependencies['store'], 'readStream'>;

/** A month as callers name it. */
export const monthNamed = (text: string): E.Either<InvalidParameter, Month> =>
  E.fromNullable(illFormed('period', 'a month as 2026-03'))(parseMonth(text));

/** A month by its stream, current with the log. */
const readPeriod = (store: PeriodStore, month: Month): TE.TaskEither<QueryFailure, Period> =>
  pipe(
    store.readStream(ownStream('period', month)),
    TE.chainEitherKW((events) => E.traverseArray(readOwnEvent)(events)),
    TE.map((events) => foldPeriod(month, events)),
  );

const READS_AT_ONCE = 32;

/** Some months, each by its stream. One order with a wrong date makes a hundred years of them, and deliveries have their turn in between. */
export const readPeriods =
  (store: PeriodStore, months: readonly Month[]): TE.TaskEither<QueryFailure, readonly Period[]> =>
  async () => {
    const periods: Period[] = [];
    for (let at = 0; at < months.length; at += READS_AT_ONCE) {
      if (at > 0) await turn();
      const some = months.slice(at, at + READS_AT_ONCE);
      const read = await atMost(READS_AT_ONCE, some, (month) => readPeriod(store, month)());
      if (E.isLeft(read)) return read;
      periods.push(...read.right);
    }
    return E.right(periods);
  };

/** A month with its moments: `until` is exclusive. */
export type BoundedPeriod = Period & { readonly from: Instant; readonly until: Instant };

/**
 * The moments of a month. A closed one keeps those that it was closed with; an open one begins where the one before it
 * ends, if that is closed, and ends where the one behind it begins; else its days are those of the calendar.
 */
export const boundedPeriod = (
  store: PeriodStore,
  { bounds }: Calendar,
  month: Month,
): TE.TaskEither<QueryFailure, BoundedPeriod> => {
  const neighbour = (other: Month | null): TE.TaskEither<QueryFailure, Period | null> =>
    other === null ? TE.right(null) : readPeriod(store, other);
  return pipe(
    TE.Do,
    TE.bind('period', () => readPeriod(store, month)),
    TE.bind('before', () => neighbour(monthBefore(month))),
    TE.bind('behind', () => neighbour(monthAfter(month))),
    TE.map(({ period, before, behind }) => {
      if (period.closed !== null) return { ...period, from: period.closed.data.from, until: period.closed.data.until };
      return {
        ...period,
        from: before?.closed?.data.until ?? bounds(firstDayOf(month)).from,
        until: behind?.closed?.data.from ?? bounds(lastDayOf(month)).until,
      };
    }),
  );
};
