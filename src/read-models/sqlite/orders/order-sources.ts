import type { Calendar } from '../../../domain/business-day.ts';
import { FIRST_READ, firstRead, type ListedRow, type SizedSource } from '../../newest-first.ts';
import type { OrderFilter } from '../../order-filter.ts';
import { sortable } from '../../order-row.ts';
import type { ChosenFacets } from './chosen-facets.ts';
import { NewestRows } from './newest-rows.ts';
import { LAST, type DateRange, type OrderRanges } from './order-ranges.ts';

/** Ranges that are merged in any case; more of them may be looked through in one, row by row. */
const MOST_MERGED = 400;

/** More days than these have the first order of each read by one statement. */
const MANY_DAYS = 40;

/** Fewer facets than these are read by a statement for each. */
const FEWEST_TOGETHER = 3;

const idsOf = (facets: ChosenFacets['always']): ReadonlySet<number> => new Set(facets.map(({ id }) => id));

/** Which index ranges a list of orders is read of. */
export class OrderSources {
  readonly #calendar: Calendar;
  readonly #ranges: OrderRanges;
  readonly #newest = new NewestRows();

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
  of(
    filter: OrderFilter,
    chosen: ChosenFacets,
    dueBefore: string,
    place: ListedRow | null,
    most: number,
  ): readonly SizedSource[] {
    if (filter.basis === 'settled') return this.#settled(chosen, this.range(filter), most);
    const { always, due, orders, all } = chosen;
    const within = this.#within(filter);
    const whole = (facets: ReadonlySet<number> | null): SizedSource => ({
      rows: this.#ranges.created(within, facets),
      size: orders,
    });
    if (orders === all && due.length === 0) return [whole(null)];
    const lookedAt = (most * all) / Math.max(1, orders);
    const isLookedThrough = always.length > MOST_MERGED && lookedAt < always.length * FIRST_READ;
    return [
      ...(isLookedThrough ? [whole(idsOf(always))] : this.#byFacet(chosen, within, place, most)),
      ...this.due(filter, chosen, dueBefore),
    ];
  }

  /** By creation, each facet that is always in the list. Of the newest, what is kept of them is not read. */
  #byFacet(
    { always, orders, state }: ChosenFacets,
    within: DateRange | null,
    place: ListedRow | null,
    most: number,
  ): readonly SizedSource[] {
    const isKept = within === null && place === null;
    const asked = always.map(({ id, orders: size }) => ({ facet: id, size, most: firstRead(size, orders, most) }));
    const toRead = isKept ? asked.filter(({ facet, most: first }) => !this.#newest.has(state, facet, first)) : asked;
    const read = toRead.length < FEWEST_TOGETHER ? null : this.#ranges.ofFacets(toRead, within, place);
    return asked.map(({ facet, size }) => {
      const rows = read?.get(facet) ?? this.#ranges.ofFacet(facet, within);
      return { rows: within === null ? this.#newest.of(state, facet, rows) : rows, size };
    });
  }

  /** Orders that their clock anomaly brings into the list. */
  due(filter: OrderFilter, { due }: ChosenFacets, dueBefore: string): readonly SizedSource[] {
    const within = this.#within(filter);
    return due.map((facet) => ({
      rows: this.#ranges.dueOfFacet(facet, within, dueBefore),
      size: facet.orders,
    }));
  }

  /** Null where a filter has no dates. */
  #within(filter: OrderFilter): DateRange | null {
    return filter.from === null && filter.to === null ? null : this.range(filter);
  }

  #settled({ always, orders, settled, all }: ChosenFacets, range: DateRange, most: number): readonly SizedSource[] {
    const byFacet = (): readonly SizedSource[] =>
      always.map((facet) => ({ rows: this.#ranges.settledOfFacet(facet.id, range), size: facet.orders }));
    // Without dates nearly every order of these facets is in the list.
    if (range.firstDay === '' && range.lastDay === LAST) return byFacet();
    const days = this.#ranges.settledDays(range);
    const inRange = days.reduce((sum, day) => sum + day.orders, 0);
    const lookedAtByDay = (days.length + most) * (all / Math.max(1, settled));
    if (orders < lookedAtByDay || inRange === 0) return byFacet();
    const facets = settled === all ? null : idsOf(always);
    if (days.length > MANY_DAYS) return [{ rows: this.#ranges.settledIn(range, facets), size: inRange }];
    return days.map((day) => ({ rows: this.#ranges.settledOn(day.day, facets), size: day.orders }));
  }
}
