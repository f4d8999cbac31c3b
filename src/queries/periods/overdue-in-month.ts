import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { firstDayOf, lastDayOf } from '../../domain/month.ts';
import { EVERY_ORDER, type OrderFilter } from '../../read-models/order-filter.ts';
import type { OrderPlace } from '../../read-models/read-models.ts';
import { allPages } from '../exports/all-pages.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { daysOf, isWithin, monthStretches, type MonthBounds, type MonthStretch } from './month-stretches.ts';

type Deps = Pick<QueryDependencies, 'readModels' | 'calendar' | 'now'>;
type Step<A> = Promise<E.Either<QueryFailure, A>>;

const ORDERS_AT_ONCE = 500;

const OVERDUE: OrderFilter = { ...EVERY_ORDER, basis: 'created', anomaly: 'clock' };

const inStretch = async ({ readModels, calendar, now }: Deps, stretch: MonthStretch): Step<number> => {
  const question = { filter: { ...OVERDUE, ...daysOf(stretch, calendar) }, now: now(), counted: false };
  const pages = allPages(
    (after: OrderPlace | null) => readModels.orders({ ...question, after, limit: ORDERS_AT_ONCE }),
    ({ createdAt, orderId }): OrderPlace => ({ createdAt, orderId }),
  );
  let orders = 0;
  for await (const page of pages) {
    if (E.isLeft(page)) return page;
    orders += page.right.filter(({ createdAt }) => isWithin(createdAt, stretch.from, stretch.until)).length;
  }
  return E.right(orders);
};

/** How many orders that were created in a month are overdue or deemed for too long: those of its report's days, to the moment. */
export const overdueInMonth =
  (deps: Deps, month: MonthBounds): TE.TaskEither<QueryFailure, number> =>
  async () => {
    const filter = { ...OVERDUE, from: firstDayOf(month.period), to: lastDayOf(month.period) };
    const now = deps.now();
    const found = await deps.readModels.orders({
      filter,
      after: null,
      limit: 1,
      now,
      counted: true,
      withoutSums: true,
    })();
    if (E.isLeft(found)) return found;
    let orders = found.right.total?.orders ?? 0;
    for (const stretch of monthStretches(month, deps.calendar)) {
      const its = await inStretch(deps, stretch);
      if (E.isLeft(its)) return its;
      orders += stretch.way === 'in' ? its.right : -its.right;
    }
    return E.right(Math.max(0, orders));
  };
