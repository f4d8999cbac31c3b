import { Big } from 'big.js';
import type { Random } from './random.ts';

/** Amounts of an order that fit each other exactly: `fiat` is `amount` times `rate` and `commission`. */
export type OnRampFigures = { readonly fiat: Big; readonly rate: Big; readonly amount: Big; readonly commission: Big };

/** Amounts of an order that fit each other exactly: `amount` times the rate is `fiat` and `tds`. */
export type OffRampFigures = { readonly fiat: Big; readonly amount: Big; readonly tds: Big };

/** The quotient with so many decimals, cut off or rounded up. */
const quotient = (numerator: Big, denominator: Big, places: number, rounding: 0 | 3): Big => {
  const Exactly = Big();
  Exactly.DP = places;
  Exactly.RM = rounding;
  return new Exactly(numerator).div(denominator);
};
const DOWN = 0;
const UP = 3;

/** An amount as people pay it: mostly round, some to the hundredth, a few large. */
export const pickFiat = (random: Random): Big => {
  const whole = new Big(random.below(400) + 1).times(random.pick([10, 50, 100, 250]));
  if (random.onceIn(12)) return new Big(random.below(90_000_000) + 10_000_000).plus(random.below(100)).times('0.01');
  return random.onceIn(3) ? whole.plus(new Big(random.below(100)).times('0.01')) : whole;
};

/** What is kept of it before tokens are bought: about two percent. */
const NET = '0.98';

/** What is bought for a fiat amount: what the tokens do not take is the commission, to the last digit. */
export const onRampFigures = (fiat: Big, rate: Big, places: number): OnRampFigures => {
  const amount = quotient(fiat.times(NET), rate, places, DOWN);
  return { fiat, rate, amount, commission: fiat.minus(amount.times(rate)) };
};

/** With the tax that is deducted at source: one percent. */
const GROSS = '1.01';

/** What must be sold so that a fiat amount is paid out: what it brings beyond that is the tax, to the last digit. */
export const offRampFigures = (fiat: Big, rate: Big, places: number): OffRampFigures => {
  const amount = quotient(fiat.times(GROSS), rate, places, UP);
  return { fiat, amount, tds: amount.times(rate).minus(fiat) };
};
