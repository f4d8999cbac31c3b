import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { compareInstants, type Instant } from '../../domain/instant.ts';
import type { Month } from '../../domain/month.ts';
import type { PeriodCheck } from '../../domain/own-event/period-events.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import { whenIncluded } from '../parameters/position-parameter.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { touchedDays } from './month-stretches.ts';
import { listedMonths } from './months.ts';
import { overdueInMonth } from './overdue-in-month.ts';
import { boundedPeriod, readPeriods, type BoundedPeriod } from './read-period.ts';
import { unmatchedInMonth } from './unmatched-in-month.ts';

/** What is looked at before a month is closed (docs/spec/finance.md, Periods). */
export const CHECK_NAMES = [
  'month-over',
  'earlier-closed',
  'spool',
  'read-models',
  'quarantine',
  'clock-anomalies',
  'match',
] as const;

export type CheckName = (typeof CHECK_NAMES)[number];

/** A check, and where what is behind it is listed; null: nowhere. */
type ReadinessCheck = PeriodCheck & { readonly name: CheckName; readonly link: string | null };

export type Readiness = {
  readonly ready: boolean;
  /** When the month ends, exclusive. */
  readonly until: Instant;
  readonly checks: readonly ReadinessCheck[];
};

export type ReadinessDependencies = Pick<
  QueryDependencies,
  'store' | 'readModels' | 'calendar' | 'matchDueDays' | 'now' | 'waiting'
>;

type Check = TE.TaskEither<QueryFailure, ReadinessCheck>;

const counted = (
  name: CheckName,
  count: number,
  words: readonly [one: string, many: string],
  link: string | null,
): ReadinessCheck => ({
  name,
  ok: count === 0,
  count,
  detail: count === 0 ? `no ${words[1]}` : `${count} ${count === 1 ? words[0] : words[1]}`,
  link: count === 0 ? null : link,
});

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

const monthOver = ({ until }: BoundedPeriod, { now }: ReadinessDependencies): ReadinessCheck => {
  const isOver = compareInstants(now(), until) >= 0;
  const detail = isOver ? `it ended at ${until}` : `it goes on until ${until}`;
  return { name: 'month-over', ok: isOver, count: isOver ? 0 : 1, detail, link: null };
};

const earlierClosed = ({ store }: ReadinessDependencies, months: readonly Month[], month: Month): Check =>
  pipe(
    readPeriods(
      store,
      months.filter((other) => other < month),
    ),
    TE.map((periods) => {
      const open = periods.filter(({ closed }) => closed === null).length;
      return counted('earlier-closed', open, ['earlier month is open', 'earlier months are open'], '/v1/periods');
    }),
  );

/** Whether the read models include all that is in the log now, after a little while. */
const level = (deps: ReadinessDependencies): Check =>
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
    TE.orElse((failure): Check =>
      failure._tag === 'ReadModelsBehind'
        ? TE.right({ name: 'read-models', ok: false, count: 1, detail: failure.detail, link: null })
        : TE.left(failure),
    ),
  );

const quarantine = ({ readModels, now }: ReadinessDependencies): Check =>
  pipe(
    readModels.tallies(now()),
    TE.map(({ quarantined }) =>
      counted(
        'quarantine',
        quarantined,
        ['delivery could not be read', 'deliveries could not be read'],
        '/v1/quarantine',
      ),
    ),
  );

const clockAnomalies = (deps: ReadinessDependencies, period: BoundedPeriod): Check => {
  const { from, to } = touchedDays(period, deps.calendar);
  return pipe(
    overdueInMonth(deps, period),
    TE.map((orders) =>
      counted(
        'clock-anomalies',
        orders,
        ['order is overdue or deemed for too long', 'orders are overdue or deemed for too long'],
        `/v1/orders?anomaly=clock&from=${from}&to=${to}`,
      ),
    ),
  );
};

/** Bank lines and payouts of the month that nothing was found for; there is no such check before the first statement. */
const matched = (
  deps: ReadinessDependencies,
  period: BoundedPeriod,
): TE.TaskEither<QueryFailure, readonly ReadinessCheck[]> => {
  const { from, to } = touchedDays(period, deps.calendar);
  return pipe(
    unmatchedInMonth(deps, period),
    TE.map((its) => {
      if (its === null) return [];
      const { unmatched, due } = its;
      const check = counted(
        'match',
        unmatched,
        ['bank line or payout is unmatched', 'bank lines or payouts are unmatched'],
        `/v1/reconciliation/items?state=unmatched&from=${from}&to=${to}`,
      );
      if (due === 0) return [check];
      const waiting = due === 1 ? '1 more is' : `${due} more are`;
      const detail = `${check.detail}; ${waiting} still being matched: look again in a moment`;
      return [{ ...check, ok: false, count: unmatched + due, detail }];
    }),
  );
};

/** Whether a month could be closed with nothing left to do: each check with what is behind it. */
export const readiness = (deps: ReadinessDependencies, month: Month): TE.TaskEither<QueryFailure, Readiness> =>
  pipe(
    level(deps),
    TE.bindTo('isLevel'),
    TE.bind('months', () => listedMonths(deps)),
    TE.bind('period', () => boundedPeriod(deps.store, deps.calendar, month)),
    TE.bind('earlier', ({ months }) => earlierClosed(deps, months, month)),
    TE.bind('inQuarantine', () => quarantine(deps)),
    TE.bind('clock', ({ period }) => clockAnomalies(deps, period)),
    TE.bind('match', ({ period }) => matched(deps, period)),
    TE.map(({ isLevel, period, earlier, inQuarantine, clock, match }) => {
      const checks = [
        monthOver(period, deps),
        earlier,
        spooled(deps.waiting()),
        isLevel,
        inQuarantine,
        clock,
        ...match,
      ];
      return { ready: checks.every(({ ok }) => ok), until: period.until, checks };
    }),
  );
