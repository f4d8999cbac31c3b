import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Month } from '../../domain/month.ts';
import { notFound, type QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { listedMonths } from './months.ts';
import { boundedPeriod, monthNamed, type BoundedPeriod } from './read-period.ts';

/** A month that is there: listed, or one that something was done to; with all that are listed. */
export type KnownPeriod = { readonly period: BoundedPeriod; readonly months: readonly Month[] };

/** A month by its name. One that is ill-formed is an invalid parameter, one that is not there is not found. */
export const knownPeriod = (
  deps: Pick<QueryDependencies, 'store' | 'readModels' | 'calendar' | 'now'>,
  name: string,
): TE.TaskEither<QueryFailure, KnownPeriod> =>
  pipe(
    TE.fromEither(monthNamed(name)),
    TE.bindTo('month'),
    TE.bindW('months', () => listedMonths(deps)),
    TE.bindW('period', ({ month }) => boundedPeriod(deps.store, deps.calendar, month)),
    TE.chainEitherKW(({ month, months, period }) =>
      months.includes(month) || period.history.length > 0 ? E.right({ period, months }) : E.left(notFound('period')),
    ),
  );
