import { addAll } from '../../domain/add-all.ts';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { OrderId } from '../../domain/ids.ts';
import { compareInstants, type Instant } from '../../domain/instant.ts';
import { firstDayOf, lastDayOf } from '../../domain/month.ts';
import type { MatchPlace, ShownItem } from '../../read-models/match-questions.ts';
import { EVERY_ORDER } from '../../read-models/order-filter.ts';
import type { OrderPlace } from '../../read-models/read-models.ts';
import { allPages } from '../exports/all-pages.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import { unmatchedInDays, type InDays, type UnmatchedDependencies } from '../reconciliation/unmatched-in-days.ts';
import { daysOf, isWithin, monthStretches, type MonthBounds, type MonthStretch } from './month-stretches.ts';

type Step<A> = Promise<E.Either<QueryFailure, A>>;

const AT_ONCE = 500;

/** Unmatched items of the days of a stretch that have an order: a bank's day is of no zone, so items of lines alone stay where they are. */
const itemsWithOrders = async (
  { readModels, calendar, matchDueDays, now }: UnmatchedDependencies,
  stretch: MonthStretch,
): Step<readonly ShownItem[]> => {
  const filter = { ...daysOf(stretch, calendar), currency: null, flow: null, account: null };
  const day = { today: calendar.dayOf(now()), dueDays: matchDueDays };
  const choice = { filter, day, state: 'unmatched', rule: null, code: null, orderId: null, lineId: null } as const;
  const items: ShownItem[] = [];
  let after: MatchPlace | null = null;
  do {
    const page: E.Either<QueryFailure, { readonly data: readonly ShownItem[]; readonly next: MatchPlace | null }> =
      await readModels.matchItems({ ...choice, after, limit: AT_ONCE })();
    if (E.isLeft(page)) return page;
    addAll(
      items,
      page.right.data.filter(({ orders }) => orders.length > 0),
    );
    after = page.right.next;
  } while (after !== null);
  return E.right(items);
};

/** When orders of the days of a stretch were settled. */
const settledIn = async (
  { readModels, calendar, now }: UnmatchedDependencies,
  stretch: MonthStretch,
): Step<ReadonlyMap<OrderId, Instant>> => {
  const filter = { ...EVERY_ORDER, basis: 'settled' as const, ...daysOf(stretch, calendar) };
  const pages = allPages(
    (after: OrderPlace | null) => readModels.orders({ filter, after, limit: AT_ONCE, now: now(), counted: false }),
    ({ createdAt, orderId }): OrderPlace => ({ createdAt, orderId }),
  );
  const moments = new Map<OrderId, Instant>();
  for await (const page of pages) {
    if (E.isLeft(page)) return page;
    for (const state of page.right) {
      if (state.settledAt !== null) moments.set(state.orderId, state.settledAt);
    }
  }
  return E.right(moments);
};

const inStretch = async (deps: UnmatchedDependencies, stretch: MonthStretch): Step<number> => {
  const items = await itemsWithOrders(deps, stretch);
  if (E.isLeft(items) || items.right.length === 0) return E.map(() => 0)(items);
  const settled = await settledIn(deps, stretch);
  if (E.isLeft(settled)) return settled;
  return E.right(
    items.right.filter(({ orders }) => {
      // As its day: of the first settlement. Of orders alone that never settled nothing is unmatched, with lines or without.
      const first = orders
        .flatMap(({ orderId }) => settled.right.get(orderId) ?? [])
        .reduce<Instant | null>((a, b) => (a === null || compareInstants(b, a) < 0 ? b : a), null);
      return isWithin(first, stretch.from, stretch.until);
    }).length,
  );
};

/**
 * How many bank lines and payouts of a month are unmatched, payouts by the moments of its report; null as long as no statement
 * was imported.
 */
export const unmatchedInMonth =
  (deps: UnmatchedDependencies, month: MonthBounds): TE.TaskEither<QueryFailure, InDays | null> =>
  async () => {
    const its = await unmatchedInDays(deps, firstDayOf(month.period), lastDayOf(month.period))();
    if (E.isLeft(its) || its.right === null) return its;
    let { unmatched } = its.right;
    for (const stretch of monthStretches(month, deps.calendar)) {
      const found = await inStretch(deps, stretch);
      if (E.isLeft(found)) return found;
      unmatched += stretch.way === 'in' ? found.right : -found.right;
    }
    return E.right({ ...its.right, unmatched: Math.max(0, unmatched) });
  };
