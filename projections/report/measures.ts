import * as eq from 'fp-ts/lib/Eq.js';
import type * as group from 'fp-ts/lib/Group.js';
import * as N from 'fp-ts/lib/number.js';
import { exactOrd, negated, plus, ZERO, type Exact } from '../../src/domain/exact.ts';

/** What is counted and summed over orders. All but `orders` and `fiat` is of orders in the phase settled alone. */
export type Measures = {
  readonly orders: number;
  readonly fiat: Exact;
  /** On-ramp: transferred; off-ramp: deducted. */
  readonly tokenAmount: Exact;
  readonly baseUnits: Exact;
  readonly commission: Exact;
  readonly tds: Exact;
  /** The amounts of orders that have both an amount and a rate. */
  readonly ratedAmount: Exact;
  /** Amount times rate of those. */
  readonly rateWeight: Exact;
};

/**
 * Measures under addition: a commutative group, so that an order's contribution can be taken out again
 * (docs/spec/domain.md, Reports). It is the product of the groups of its members; `monoid.struct` would say that in fewer
 * lines, and takes 250 ns for a sum that takes 40 ns here: reports add tens of thousands of them.
 */
export const measuresGroup: group.Group<Measures> = {
  empty: {
    orders: 0,
    fiat: ZERO,
    tokenAmount: ZERO,
    baseUnits: ZERO,
    commission: ZERO,
    tds: ZERO,
    ratedAmount: ZERO,
    rateWeight: ZERO,
  },
  concat: (a, b) => ({
    orders: a.orders + b.orders,
    fiat: plus(a.fiat, b.fiat),
    tokenAmount: plus(a.tokenAmount, b.tokenAmount),
    baseUnits: plus(a.baseUnits, b.baseUnits),
    commission: plus(a.commission, b.commission),
    tds: plus(a.tds, b.tds),
    ratedAmount: plus(a.ratedAmount, b.ratedAmount),
    rateWeight: plus(a.rateWeight, b.rateWeight),
  }),
  inverse: (a) => ({
    // `-0` would be another number to whoever prints or compares it.
    orders: 0 - a.orders,
    fiat: negated(a.fiat),
    tokenAmount: negated(a.tokenAmount),
    baseUnits: negated(a.baseUnits),
    commission: negated(a.commission),
    tds: negated(a.tds),
    ratedAmount: negated(a.ratedAmount),
    rateWeight: negated(a.rateWeight),
  }),
};

/** Equality by value. */
export const measuresEq: eq.Eq<Measures> = eq.struct({
  orders: N.Eq,
  fiat: exactOrd,
  tokenAmount: exactOrd,
  baseUnits: exactOrd,
  commission: exactOrd,
  tds: exactOrd,
  ratedAmount: exactOrd,
  rateWeight: exactOrd,
});

/** Sums of measures, one for each key. Only whoever made such a map changes it. */
export type SumsBy<K> = Map<K, Measures>;

/** Adds measures to the sum of a key. The map is changed: millions of orders pass here, and a copy for each would cost too much. */
export const addTo = <K>(sums: SumsBy<K>, key: K, measures: Measures): void => {
  const sum = sums.get(key);
  sums.set(key, sum === undefined ? measures : measuresGroup.concat(sum, measures));
};
