import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { ownEvent } from '../../domain/own-event/own-event.ts';
import type { Author } from '../../domain/own-event/own-metadata.ts';
import { PERIOD_REOPENED } from '../../domain/own-event/period-events.ts';
import { appendOwn } from '../../ledger/append-own.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import { noted } from '../note.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { periodFailure } from './close-period.ts';
import { knownPeriod } from './known-period.ts';
import { oneByOne } from './one-by-one.ts';
import { readPeriods } from './read-period.ts';

type Deps = Pick<QueryDependencies, 'store' | 'readModels' | 'calendar' | 'now' | 'takeMonths' | 'isAwaited'>;

const NOT_CLOSED: QueryFailure = { _tag: 'PeriodNotClosed' };

/** Opens the latest closed month again, with a note that says why. What was closed stays in its history. */
export const reopenPeriod = (
  deps: Deps,
  name: string,
  note: string,
  author: Author,
): TE.TaskEither<QueryFailure, void> =>
  noted(
    note,
    oneByOne(
      deps,
      author.by,
      pipe(
        knownPeriod(deps, name),
        TE.bindW('closed', ({ period }) => TE.fromEither(E.fromNullable(NOT_CLOSED)(period.closed))),
        TE.chainFirstW(({ period, months }) =>
          pipe(
            readPeriods(
              deps.store,
              months.filter((month) => month > period.period),
            ),
            TE.chainEitherKW((later) => {
              const other = later.find(({ closed }) => closed !== null);
              return other === undefined
                ? E.right(undefined)
                : E.left<QueryFailure>({ _tag: 'LaterPeriodClosed', period: other.period });
            }),
          ),
        ),
        TE.chainW(({ period, closed }) =>
          pipe(
            appendOwn(deps.store, period.revision ?? 'none', [
              ownEvent(PERIOD_REOPENED, { period: period.period, closed: closed.eventId, note }, author),
            ]),
            TE.bimap(periodFailure(NOT_CLOSED), () => undefined),
          ),
        ),
      ),
    ),
  );
