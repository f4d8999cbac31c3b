import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Month } from '../../domain/month.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import { whenIncluded } from '../parameters/position-parameter.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { CHECK_NAMES, counted, type Readiness, type ReadinessCheck } from './readiness-check.ts';

export type ReadinessDependencies = Pick<
  QueryDependencies,
  'store' | 'readModels' | 'matchDueDays' | 'now' | 'waiting' | 'monthChecks'
>;

/** What waits would change the month once it is recorded: where that is not known, nothing says that none does. */
const spooled = (waiting: number | null): ReadinessCheck => {
  if (waiting !== null)
    return counted(
      'spool',
      waiting,
      ['delivery waits for the event store', 'deliveries wait for the event store'],
      null,
    );
  const detail = 'how many deliveries wait for the event store is not known yet: look again in a moment';
  return { name: 'spool', ok: false, count: 1, detail, link: null };
};

/** Whether the read models include all that is in the log now, after a little while. */
const level = (deps: ReadinessDependencies): TE.TaskEither<QueryFailure, ReadinessCheck> =>
  pipe(
    deps.store.head(),
    TE.chainW((head) => whenIncluded(deps, head)),
    TE.map((): ReadinessCheck => ({
      name: 'read-models',
      ok: true,
      count: 0,
      detail: 'they include the whole log',
      link: null,
    })),
    TE.orElse((failure): TE.TaskEither<QueryFailure, ReadinessCheck> =>
      failure._tag === 'ReadModelsBehind'
        ? TE.right({ name: 'read-models', ok: false, count: 1, detail: failure.detail, link: null })
        : TE.left(failure),
    ),
  );

/** Checks come in the order of their names, wherever each was made. */
const inOrder = (checks: readonly ReadinessCheck[]): readonly ReadinessCheck[] =>
  CHECK_NAMES.flatMap((name) => checks.filter((check) => check.name === name));

/**
 * Whether a month could be closed with nothing left to do: each check with what is behind it. What waits in the spool, and
 * how far the read models are, is known to whoever serves; the rest is reckoned elsewhere.
 */
export const readiness = (deps: ReadinessDependencies, month: Month): TE.TaskEither<QueryFailure, Readiness> =>
  pipe(
    level(deps),
    TE.bindTo('isLevel'),
    TE.bind('found', () => deps.monthChecks({ month, now: deps.now(), matchDueDays: deps.matchDueDays })),
    TE.map(({ isLevel, found: { until, checks: reckoned } }) => {
      const checks = inOrder([spooled(deps.waiting()), isLevel, ...reckoned]);
      return { ready: checks.every(({ ok }) => ok), until, checks };
    }),
  );
