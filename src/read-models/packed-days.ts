import type { Basis, Measures } from '../../projections/report/index.ts';
import type { BusinessDay } from '../domain/business-day.ts';
import { branded } from '../domain/brand.ts';
import { exactOfParts, isZero, partsOfExact, ZERO, type Exact } from '../domain/exact.ts';
import type { DaySum } from './cell-sums.ts';
import { SharedTexts } from './shared-texts.ts';

/**
 * What reports changed by in a step of the log, on its way to another thread. As objects each sum would take along the
 * names of twenty members, and what is zero of it.
 */
export type PackedDays = {
  readonly step: number;
  readonly facetKeys: readonly string[];
  readonly days: readonly string[];
  /** For each sum: the indexes of facet, basis and day, its orders, how many amounts it has, and the scale of each. */
  readonly numbers: readonly number[];
  readonly coefficients: readonly bigint[];
};

const BASES: readonly Basis[] = ['created', 'settled'];

/** All but the first are zero where nothing has settled. */
const amountsOf = (measures: Measures): readonly Exact[] => {
  const { fiat, tokenAmount, baseUnits, commission, tds, ratedAmount, rateWeight } = measures;
  const ofSettled = [tokenAmount, baseUnits, commission, tds, ratedAmount, rateWeight];
  return ofSettled.every(isZero) ? [fiat] : [fiat, ...ofSettled];
};

const measuresOf = (orders: number, amounts: readonly Exact[]): Measures => {
  const [fiat = ZERO, tokenAmount = ZERO, baseUnits = ZERO, commission = ZERO, tds = ZERO, ...rated] = amounts;
  const [ratedAmount = ZERO, rateWeight = ZERO] = rated;
  return { orders, fiat, tokenAmount, baseUnits, commission, tds, ratedAmount, rateWeight };
};

/** The sums of a step. */
export const packedDays = (step: number, sums: Iterable<DaySum>): PackedDays => {
  const [facetKeys, days] = [new SharedTexts(), new SharedTexts()];
  const numbers: number[] = [];
  const coefficients: bigint[] = [];
  for (const { facetKey, basis, day, measures } of sums) {
    const amounts = amountsOf(measures);
    numbers.push(facetKeys.indexOf(facetKey), BASES.indexOf(basis), days.indexOf(day), measures.orders, amounts.length);
    for (const amount of amounts) {
      const { coefficient, scale } = partsOfExact(amount);
      numbers.push(scale);
      coefficients.push(coefficient);
    }
  }
  return { step, facetKeys: facetKeys.texts, days: days.texts, numbers, coefficients };
};

/** The sums that were packed. */
export function* unpackedDays({ facetKeys, days, numbers, coefficients }: PackedDays): Generator<DaySum, void> {
  let [at, amount] = [0, 0];
  const next = (): number => numbers[at++] ?? 0;
  while (at < numbers.length) {
    const [facetKey, basis, day] = [facetKeys[next()] ?? '', BASES[next()] ?? 'created', days[next()] ?? ''];
    const [orders, count] = [next(), next()];
    const amounts: Exact[] = [];
    for (let i = 0; i < count; i += 1)
      amounts.push(exactOfParts({ coefficient: coefficients[amount++] ?? 0n, scale: next() }));
    yield { facetKey, basis, day: branded<BusinessDay>(day), measures: measuresOf(orders, amounts) };
  }
}
