import type { BusinessDay, Calendar } from '../../src/domain/business-day.ts';
import type { OrderState } from '../order-state/index.ts';
import { facetOf, type Facet } from './facet.ts';
import type { Measures } from './measures.ts';

/** The date that puts an order on a day: its creation, or its settlement (docs/spec/http.md, A report). */
export type Basis = 'created' | 'settled';

/** What one order, or the sum of many, adds to a report. */
export type Cell = {
  readonly basis: Basis;
  readonly day: BusinessDay;
  readonly facet: Facet;
  readonly measures: Measures;
};

/**
 * The cells of one order: one of its day of creation, and one of its day of settlement where it has one, whatever its
 * phase is by now (docs/spec/http.md, A report). They share one facet and one measures object.
 */
export const contributionsOf =
  (measuresOf: (state: OrderState) => Measures) =>
  (state: OrderState, calendar: Calendar, facet = facetOf(state)): readonly Cell[] => {
    const measures = measuresOf(state);
    const created: Cell = { basis: 'created', day: calendar.dayOf(state.createdAt), facet, measures };
    if (state.settledAt === null) return [created];
    return [created, { basis: 'settled', day: calendar.dayOf(state.settledAt), facet, measures }];
  };
