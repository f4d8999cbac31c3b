import { addAll } from '../../domain/add-all.ts';
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
import { readOwnEvent, type OwnEvent } from '../../domain/own-event/own-event.ts';
import type { UnreadableEvent } from '../../domain/unreadable-event.ts';
import { illFormed, type InvalidParameter, type QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';

export type PeriodStore = Pick<QueryDependencies['store'], 'streamPages'>;

/** A month as callers name it. */
export const monthNamed = (text: string): E.Either<InvalidParameter, Month> =>
  E.fromNullable(illFormed('period', 'a month as 2026-03'))(parseMonth(text));

/** A month by its stream, current with the log. A close has the figures of the month, a megabyte at the most: it is read some at a time. */
const readPeriod =
  (store: PeriodStore, month: Month): TE.TaskEither<QueryFailure, Period> =>
  async () => {
    const events: OwnEvent[] = [];
    for await (const page of store.streamPages(ownStream('period', month))) {
      const read = E.chainW(E.traverseArray(readOwnEvent))(page);
      if (E.isLeft(read)) return read;
      addAll(events, read.right);
    }
    return E.right(foldPeriod(month, events));
  };

/** A month whose stream holds an event that is none of the ledger's, or is damaged: nobody can say whether it is closed. */
type UnreadablePeriod = { readonly period: Month; readonly unreadable: UnreadableEvent };

/** A month of a list, whose other months say what they are whatever stands in its stream. */
export type ListedPeriod = (Period & { readonly unreadable: null }) | UnreadablePeriod;

const listedPeriod = (store: PeriodStore, month: Month): TE.TaskEither<QueryFailure, ListedPeriod> =>
  pipe(
    readPeriod(store, month),
    TE.map((period): ListedPeriod => ({ ...period, unreadable: null })),
    TE.orElse((failure) =>
      failure._tag === 'UnreadableEvent' ? TE.right({ period: month, unreadable: failure }) : TE.left(failure),
    ),
  );

const READS_AT_ONCE = 32;

/** One order with a wrong date makes a hundred years of months, and deliveries have their turn in between. */
const someAtOnce =
  <A>(
    read: (store: PeriodStore, month: Month) => TE.TaskEither<QueryFailure, A>,
  ): ((store: PeriodStore, months: readonly Month[]) => TE.TaskEither<QueryFailure, readonly A[]>) =>
  (store, months) =>
  async () => {
    const all: A[] = [];
    for (let at = 0; at < months.length; at += READS_AT_ONCE) {
      if (at > 0) await turn();
      const some = await atMost(READS_AT_ONCE, months.slice(at, at + READS_AT_ONCE), (month) => read(store, month)());
      if (E.isLeft(some)) return some;
      addAll(all, some.right);
    }
    return E.right(all);
  };

/** Some months, each by its stream; none of them where one can't be read. */
export const readPeriods = someAtOnce(readPeriod);

/** Some months, each by its stream, also where one can't be read. */
export const readListedPeriods = someAtOnce(listedPeriod);

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
  const betweenNeighbours = (period: Period): TE.TaskEither<QueryFailure, BoundedPeriod> =>
    pipe(
      TE.Do,
      TE.bind('before', () => neighbour(monthBefore(month))),
      TE.bind('behind', () => neighbour(monthAfter(month))),
      TE.map(({ before, behind }) => ({
        ...period,
        from: before?.closed?.data.until ?? bounds(firstDayOf(month)).from,
        until: behind?.closed?.data.from ?? bounds(lastDayOf(month)).until,
      })),
    );
  return pipe(
    readPeriod(store, month),
    TE.chain((period) =>
      period.closed === null
        ? betweenNeighbours(period)
        : TE.right({ ...period, from: period.closed.data.from, until: period.closed.data.until }),
    ),
  );
};
