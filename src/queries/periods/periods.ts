import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type * as t from 'io-ts';
import type { Period } from '../../../projections/periods/index.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { PersonalData } from '../masking/personal-data.ts';
import { cursorOf, foreignCursor, placeInCursor } from '../parameters/cursor.ts';
import { cursorParameter, limitParameter, positionText, USUAL_LIMIT, type Query } from '../parameters/parameters.ts';
import { positionParameter, whenIncluded } from '../parameters/position-parameter.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { knownPeriod } from './known-period.ts';
import { listedMonths } from './months.ts';
import {
  periodResource,
  unreadablePeriodResource,
  type PeriodPageResource,
  type PeriodResource,
} from './period-resource.ts';
import { readListedPeriods, type ListedPeriod } from './read-period.ts';

/** The parameters of the list of months. */
export const PERIOD_LIST_PARAMETERS = {
  limit: limitParameter,
  cursor: cursorParameter,
  position: positionText,
} as const;

type Deps = Pick<QueryDependencies, 'store' | 'readModels' | 'calendar' | 'now' | 'isAdjusted'>;

const LIST = JSON.stringify(['periods']);

const shown = (deps: Deps, personal: PersonalData, period: Period): TE.TaskEither<QueryFailure, PeriodResource> =>
  pipe(
    period.closed === null ? TE.right(false) : deps.isAdjusted(period.closed),
    TE.map((adjusted) => periodResource(period, deps.calendar.timeZone, adjusted, personal)),
  );

/** A month whose close can't be read hides no other one. */
const listed = (
  deps: Deps,
  personal: PersonalData,
  period: ListedPeriod,
): TE.TaskEither<QueryFailure, PeriodResource> => {
  const { timeZone } = deps.calendar;
  if (period.unreadable !== null) return TE.right(unreadablePeriodResource(period.period, timeZone, period.unreadable));
  return pipe(
    shown(deps, personal, period),
    TE.orElse((failure) =>
      failure._tag === 'UnreadableEvent'
        ? TE.right(unreadablePeriodResource(period.period, timeZone, failure))
        : TE.left(failure),
    ),
  );
};

/** The months, newest first (docs/spec/http.md, Periods). */
export const periodList =
  (deps: Deps, personal: PersonalData) =>
  (query: Query<typeof PERIOD_LIST_PARAMETERS>): TE.TaskEither<QueryFailure, t.TypeOf<typeof PeriodPageResource>> => {
    const limit = query.limit ?? USUAL_LIMIT;
    return pipe(
      TE.fromEither(placeInCursor(query.cursor, LIST)),
      TE.bindTo('place'),
      TE.bindW('included', () => positionParameter(deps.store, query.position)),
      TE.chainFirstW(({ included }) => whenIncluded(deps, included)),
      TE.bindW('months', () => listedMonths(deps)),
      TE.bindW('page', ({ place, months }) => {
        const [after] = place ?? [];
        if (place !== null && after === undefined) return TE.left(foreignCursor);
        const behind = after === undefined ? months : months.filter((month) => month < after);
        return TE.right({ data: behind.slice(0, limit), more: behind.length > limit });
      }),
      TE.bindW('periods', ({ page }) => readListedPeriods(deps.store, page.data)),
      TE.bindW('data', ({ periods }) =>
        TE.traverseSeqArray((period: ListedPeriod) => listed(deps, personal, period))(periods),
      ),
      TE.map(({ page, data }) => {
        const last = data.at(-1);
        return { data, next: page.more && last !== undefined ? cursorOf(LIST, [last.period]) : null };
      }),
    );
  };

/** One month. */
export const onePeriod = (
  deps: Deps,
  personal: PersonalData,
  name: string,
): TE.TaskEither<QueryFailure, PeriodResource> =>
  pipe(
    knownPeriod(deps, name),
    TE.chain(({ period }) => shown(deps, personal, period)),
  );
