import type { eq, group } from 'fp-ts';
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
 * (docs/spec/domain.md, Reports).
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

const { equals: same } = exactOrd;

/** Equality by value. */
export const measuresEq: eq.Eq<Measures> = {
  equals: (a, b) =>
    a.orders === b.orders &&
    same(a.fiat, b.fiat) &&
    same(a.tokenAmount, b.tokenAmount) &&
    same(a.baseUnits, b.baseUnits) &&
    same(a.commission, b.commission) &&
    same(a.tds, b.tds) &&
    same(a.ratedAmount, b.ratedAmount) &&
    same(a.rateWeight, b.rateWeight),
};
