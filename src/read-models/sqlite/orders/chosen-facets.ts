import { facetMatch, type OrderFilter } from '../../order-filter.ts';
import type { FacetTable } from '../reports/facet-table.ts';
import type { DueFacet } from './order-ranges.ts';

/** A facet by its number. `orders`: those in it; of a list by settlement, those of them that have settled. */
type ChosenFacet = { readonly id: number; readonly orders: number };

/** Facets of a filter. `due`: their orders are in the list only from a moment on. */
export type ChosenFacets = {
  readonly always: readonly ChosenFacet[];
  readonly due: readonly (DueFacet & ChosenFacet)[];
  readonly orders: number;
  /** Those of them that have settled. */
  readonly settled: number;
  /** Orders of all facets; of a list by settlement, those that have settled. */
  readonly all: number;
  /** One and the same object as long as the read models are in one state. */
  readonly state: object;
};

/** The facets whose orders a filter may let into a list. */
export const chosenFacets = (facets: FacetTable, filter: OrderFilter): ChosenFacets => {
  const [always, due]: [ChosenFacet[], (DueFacet & ChosenFacet)[]] = [[], []];
  const isSettled = filter.basis === 'settled';
  let [orders, settled, all] = [0, 0, 0];
  const state = facets.all();
  for (const { id, facet, orders: inIt, settled: settledInIt } of state) {
    all += isSettled ? settledInIt : inIt;
    const match = isSettled && settledInIt === 0 ? 'never' : facetMatch(facet, filter);
    // No order that its clock anomaly awaits has settled.
    if (match === 'never' || (match === 'when-due' && isSettled)) continue;
    const chosen = { id, orders: isSettled ? settledInIt : inIt };
    if (match === 'always') always.push(chosen);
    else due.push({ ...chosen, clock: facet.clock });
    orders += inIt;
    settled += settledInIt;
  }
  return { always, due, orders, settled, all, state };
};
