import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { compareInstants } from '../../domain/instant.ts';
import type { Month } from '../../domain/month.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import type { MonthReckoning } from './month-reckoning.ts';
import { touchedDays } from './month-stretches.ts';
import { listedMonths } from './months.ts';
import { overdueInMonth } from './overdue-in-month.ts';
import { counted, type ReadinessCheck } from './readiness-check.ts';
import { boundedPeriod, readPeriods, type BoundedPeriod } from './read-period.ts';
import { unmatchedInMonth } from './unmatched-in-month.ts';

type Sources = Pick<QueryDependencies, 'store' | 'readModels' | 'calendar'>;
type Deps = Sources & Pick<QueryDependencies, 'now' | 'matchDueDays'>;
type Check = TE.TaskEither<QueryFailure, ReadinessCheck>;

const monthOver = ({ until }: BoundedPeriod, { now }: Deps): ReadinessCheck => {
  const isOver = compareInstants(now(), until) >= 0;
  const detail = isOver ? `it ended at ${until}` : `it goes on until ${until}`;
  return { name: 'month-over', ok: isOver, count: isOver ? 0 : 1, detail, link: null };
};

const earlierClosed = ({ store }: Deps, months: readonly Month[], month: Month): Check =>
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

const quarantine = ({ readModels, now }: Deps): Check =>
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

const clockAnomalies = (deps: Deps, period: BoundedPeriod): Check => {
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
const matched = (deps: Deps, period: BoundedPeriod): TE.TaskEither<QueryFailure, readonly ReadinessCheck[]> => {
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

/** What of the readiness of a month is found in the log and the read models. */
export const monthChecks =
  (sources: Sources): MonthReckoning['monthChecks'] =>
  ({ month, now, matchDueDays }) => {
    const deps: Deps = {
      ...sources,
      now: () => now,
      matchDueDays,
    };
    return pipe(
      listedMonths(deps),
      TE.bindTo('months'),
      TE.bind('period', () => boundedPeriod(deps.store, deps.calendar, month)),
      TE.bind('earlier', ({ months }) => earlierClosed(deps, months, month)),
      TE.bind('inQuarantine', () => quarantine(deps)),
      TE.bind('clock', ({ period }) => clockAnomalies(deps, period)),
      TE.bind('match', ({ period }) => matched(deps, period)),
      TE.map(({ period, earlier, inQuarantine, clock, match }) => ({
        until: period.until,
        checks: [monthOver(period, deps), earlier, inQuarantine, clock, ...match],
      })),
    );
  };
