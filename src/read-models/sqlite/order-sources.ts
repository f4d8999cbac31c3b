import type { Calendar } from '../../domain/business-day.ts';
import { FIRST_READ, type RowSource } from '../newest-first.ts';
import type { OrderFilter } from '../order-filter.ts';
import { sortable } from '../order-row.ts';
import type { ChosenFacets } from './chosen-facets.ts';
import { LAST, type DateRange, type OrderRanges } from './order-ranges.ts';

/** Ranges that are merged in any case; more of them may be looked through in one, row by row. */
const MOST_MERGED = 400;

/** More days than these have the first order of each read by one statement. */
const MANY_DAYS = 40;

/** Which index ranges a list of orders is read of. */
export class OrderSources {
  readonly #calendar: Calendar;
  readonly #ranges: OrderRanges;

  constructor(calendar: Calendar, ranges: OrderRanges) {
    this.#calendar = calendar;
    this.#ranges = ranges;
  }

  /** The days of a filter, as moments and as days. */
  range({ from, to }: OrderFilter): DateRange {
    return {
      from: from === null ? '' : sortable(this.#calendar.bounds(from).from),
      until: to === null ? LAST : sortable(this.#calendar.bounds(to).until),
      firstDay: from ?? '',
      lastDay: to ?? LAST,
    };
  }

  /**
   * Index ranges whose rows, merged, are the list. By creation: one for each facet, or the whole list looked through,
   * where all facets are in it or very many. By settlement: one for each day, looked through for the facets, or, where
   * that would look at more rows than the facets have, the facets looked through for the days.
   */
  of(filter: OrderFilter, chosen: ChosenFacets, dueBefore: string, most: number): readonly RowSource[] {
    if (filter.basis === 'settled') return this.#settled(chosen, this.range(filter), most);
    const { always, due, orders, all } = chosen;
    const within = this.#within(filter);
    if (orders === all && due.length === 0) return [this.#ranges.created(within, null)];
    const lookedAt = (most * all) / Math.max(1, orders);
    const isLookedThrough = always.length > MOST_MERGED && lookedAt < always.length * FIRST_READ;
    return [
      ...(isLookedThrough
        ? [this.#ranges.created(within, new Set(always))]
        : always.map((facet) => this.#ranges.ofFacet(facet, within))),
      ...this.due(filter, chosen, dueBefore),
    ];
  }

  /** Orders that their clock anomaly brings into the list. */
  due(filter: OrderFilter, { due }: ChosenFacets, dueBefore: string): readonly RowSource[] {
    const within = this.#within(filter);
    return due.map((facet) => this.#ranges.dueOfFacet(facet, within, dueBefore));
  }

  /** Null where a filter has no dates. */
  #within(filter: OrderFilter): DateRange | null {
    return filter.from === null && filter.to === null ? null : this.range(filter);
  }

  #settled({ always, orders, settled, all }: ChosenFacets, range: DateRange, most: number): readonly RowSource[] {
    const byFacet = (): readonly RowSource[] => always.map((facet) => this.#ranges.settledOfFacet(facet, range));
    // Without dates nearly every order of these facets is in the list.
    if (range.firstDay === '' && range.lastDay === LAST) return byFacet();
    const days = this.#ranges.settledDays(range);
    const inRange = days.reduce((sum, day) => sum + day.orders, 0);
    const lookedAtByDay = (days.length + most) * (all / Math.max(1, settled));
    if (orders < lookedAtByDay || inRange === 0) return byFacet();
    const facets = settled === all ? null : new Set(always);
    if (days.length > MANY_DAYS) return [this.#ranges.settledIn(range, facets)];
    return days.map(({ day }) => this.#ranges.settledOn(day, facets));
  }
}
