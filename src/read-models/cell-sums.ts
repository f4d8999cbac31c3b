import {
  addTo,
  measuresEq,
  measuresGroup,
  type Basis,
  type Cell,
  type Measures,
  type SumsBy,
} from '../../projections/report/index.ts';
import type { BusinessDay } from '../domain/business-day.ts';

/** How long the periods of a sum are. */
export type Grain = 'day' | 'month';

/** The sum of the cells of one facet, basis and period. */
export type CellSum = {
  readonly facetKey: string;
  readonly basis: Basis;
  readonly grain: Grain;
  readonly period: string;
  readonly measures: Measures;
};

/** The sum of the cells of one facet, basis and day. */
export type DaySum = {
  readonly facetKey: string;
  readonly basis: Basis;
  readonly day: BusinessDay;
  readonly measures: Measures;
};

/** What is added under a key that stands for its facet. */
type CellAdded = Omit<Cell, 'facet'>;

type ByDay = SumsBy<BusinessDay>;

/** The month of a business day, `2026-01`. */
export const monthOf = (day: BusinessDay): string => day.slice(0, 7);

const isNothing = (measures: Measures): boolean => measuresEq.equals(measures, measuresGroup.empty);

/** Gathers what orders add to reports and what they no longer add, day by day. */
export class CellSums {
  readonly #byFacet = new Map<string, Readonly<Record<Basis, ByDay>>>();
  #days = 0;

  /** How many sums there are. */
  get size(): number {
    return this.#days;
  }

  add(facetKey: string, cells: readonly CellAdded[]): void {
    for (const { basis, day, measures } of cells) this.#put(facetKey, basis, day, measures);
  }

  /** Takes out what was added: the group's inverse. */
  remove(facetKey: string, cells: readonly CellAdded[]): void {
    for (const { basis, day, measures } of cells) this.#put(facetKey, basis, day, measuresGroup.inverse(measures));
  }

  addDay({ facetKey, basis, day, measures }: DaySum): void {
    this.#put(facetKey, basis, day, measures);
  }

  /** The sums of days so far; nothing is left behind. Those that come to nothing are left out. */
  *takeDays(): Generator<DaySum, void> {
    for (const [facetKey, basis, days] of this.#taken()) {
      for (const [day, measures] of days) if (!isNothing(measures)) yield { facetKey, basis, day, measures };
    }
  }

  /** The sums of days and months so far; nothing is left behind. Those that come to nothing are left out. */
  *take(): Generator<CellSum, void> {
    for (const [facetKey, basis, days] of this.#taken()) {
      const months: SumsBy<string> = new Map();
      for (const [day, measures] of days) {
        addTo(months, monthOf(day), measures);
        if (!isNothing(measures)) yield { facetKey, basis, grain: 'day', period: day, measures };
      }
      for (const [month, measures] of months) {
        if (!isNothing(measures)) yield { facetKey, basis, grain: 'month', period: month, measures };
      }
    }
  }

  /** Lets go of each facet once it was gone through: of a long log there are some hundred thousand sums. */
  *#taken(): Generator<[string, Basis, ByDay]> {
    this.#days = 0;
    for (const [facetKey, { created, settled }] of this.#byFacet) {
      yield [facetKey, 'created', created];
      yield [facetKey, 'settled', settled];
      this.#byFacet.delete(facetKey);
    }
  }

  #put(facetKey: string, basis: Basis, day: BusinessDay, measures: Measures): void {
    let known = this.#byFacet.get(facetKey);
    if (known === undefined) {
      known = { created: new Map(), settled: new Map() };
      this.#byFacet.set(facetKey, known);
    }
    const days = known[basis];
    const before = days.size;
    addTo(days, day, measures);
    this.#days += days.size - before;
  }
}
