import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { monthBefore, monthOfDay, type Month } from '../../domain/month.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { readListedPeriods, type PeriodStore } from './read-period.ts';

/** A hundred years: what is said to be older has a wrong date, and is listed only where it has figures. */
const MOST_FOLLOWING = 1_200;

type Deps = Pick<QueryDependencies, 'store' | 'readModels' | 'calendar' | 'now'>;

/** Months with figures on either basis. */
export const monthsWithFigures = ({
  readModels,
}: Pick<Deps, 'readModels'>): TE.TaskEither<QueryFailure, ReadonlySet<Month>> =>
  TE.map((months: readonly Month[]) => new Set(months))(readModels.figureMonths());

const monthsBetween = (first: Month, last: Month, found: ReadonlySet<Month>): readonly Month[] => {
  const months: Month[] = [];
  let month: Month | null = last;
  for (; month !== null && month >= first && months.length < MOST_FOLLOWING; month = monthBefore(month))
    months.push(month);
  // A wrong date may lie two thousand years before: the months in between are not gone through.
  const oldest = month;
  const older = [...found].filter((other) => oldest !== null && other <= oldest && other >= first);
  return [...months, ...older.toSorted().toReversed()];
};

/** So many months are looked at before the first one that is listed. */
const LOOKED_BACK = 12;

const monthsBefore = (month: Month): readonly Month[] => {
  const before: Month[] = [];
  for (let at = monthBefore(month); at !== null && before.length < LOOKED_BACK; at = monthBefore(at)) before.push(at);
  return before;
};

/** What was found last of each log: as long as the first month with figures is the same one, so is the first that is listed. */
const found = new WeakMap<PeriodStore, { readonly first: Month; readonly listed: Month }>();

/**
 * The first month that is listed: one with figures, or one that was closed before it. The orders of a closed month may
 * have gone to later ones since; its figures are still those of its close.
 */
const firstListed = (store: PeriodStore, first: Month): TE.TaskEither<QueryFailure, Month> => {
  const known = found.get(store);
  if (known?.first === first) return TE.right(known.listed);
  const from = (month: Month): TE.TaskEither<QueryFailure, Month> =>
    pipe(
      readListedPeriods(store, monthsBefore(month)),
      TE.chain((before) => {
        const touched = before.findLast((other) => other.unreadable !== null || other.history.length > 0);
        return touched === undefined ? TE.right(month) : from(touched.period);
      }),
    );
  return pipe(
    from(first),
    TE.map((listed) => {
      found.set(store, { first, listed });
      return listed;
    }),
  );
};

/** Every month from the first with figures to the current one, newest first. */
export const listedMonths = (deps: Deps): TE.TaskEither<QueryFailure, readonly Month[]> =>
  pipe(
    monthsWithFigures(deps),
    TE.chain((months) => {
      const [first] = [...months].toSorted();
      if (first === undefined) return TE.right([]);
      const current = monthOfDay(deps.calendar.dayOf(deps.now()));
      return pipe(
        firstListed(deps.store, first),
        TE.map((from) => monthsBetween(from, current, months)),
      );
    }),
  );
