import type { BusinessDay, Calendar } from '../../domain/business-day.ts';
import { compareInstants, epochMsOf, instantOf, type Instant } from '../../domain/instant.ts';
import { firstDayOf, lastDayOf } from '../../domain/month.ts';
import type { BoundedPeriod } from './read-period.ts';

/** What a month has beside its days in a calendar (`in`), or lacks of them (`out`): from a moment to another one, exclusive. */
export type MonthStretch = { readonly from: Instant; readonly until: Instant; readonly way: 'in' | 'out' };

/** The moments of a month. */
export type MonthBounds = Pick<BoundedPeriod, 'period' | 'from' | 'until'>;

/** Whether a moment falls between two others, the second exclusive. */
export const isWithin = (moment: Instant | null, from: Instant, until: Instant): boolean =>
  moment !== null && compareInstants(moment, from) >= 0 && compareInstants(moment, until) < 0;

type Days = { readonly from: BusinessDay; readonly to: BusinessDay };

/** The days of a calendar that a stretch touches. */
export const daysOf = ({ from, until }: Pick<MonthStretch, 'from' | 'until'>, { dayOf }: Calendar): Days => ({
  from: dayOf(from),
  to: dayOf(instantOf(epochMsOf(until) - 1)),
});

/** All days of a calendar that have anything of a month: its own, by which the bank's days go, and those that its moments touch. */
export const touchedDays = (month: MonthBounds, calendar: Calendar): Days => {
  const [first, last] = [firstDayOf(month.period), lastDayOf(month.period)];
  const { from, to } = daysOf(month, calendar);
  return { from: from < first ? from : first, to: to > last ? to : last };
};

/** Where a month begins or ends at another moment than its days in a calendar do: beside one that was closed in another zone. */
export const monthStretches = ({ period, from, until }: MonthBounds, { bounds }: Calendar): readonly MonthStretch[] => {
  const [first, last] = [bounds(firstDayOf(period)).from, bounds(lastDayOf(period)).until];
  const stretches: readonly MonthStretch[] = [
    compareInstants(from, first) < 0 ? { from, until: first, way: 'in' } : { from: first, until: from, way: 'out' },
    compareInstants(until, last) > 0 ? { from: last, until, way: 'in' } : { from: until, until: last, way: 'out' },
  ];
  return stretches.filter((stretch) => compareInstants(stretch.from, stretch.until) !== 0);
};
