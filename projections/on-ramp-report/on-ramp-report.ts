import type { Decimal } from '../../src/domain/decimal.ts';
import { exactOf, times, ZERO } from '../../src/domain/exact.ts';
import type { OrderState } from '../order-state/index.ts';
import { measuresGroup, reportProjection, type Measures, type ReportProjection } from '../report/index.ts';

/** Both amount and rate, or nothing: an order that lacks one has no weight in the average. */
const rated = (amount: Decimal | null, rate: Decimal | null): Pick<Measures, 'ratedAmount' | 'rateWeight'> => {
  if (amount === null || rate === null) return { ratedAmount: ZERO, rateWeight: ZERO };
  const weight = exactOf(amount);
  return { ratedAmount: weight, rateWeight: times(weight, exactOf(rate)) };
};

/**
 * What an on-ramp order counts for: the tokens transferred, the commission, and the rate weighted by the tokens
 * (docs/spec/http.md, A report).
 */
const measuresOf = ({ phase, fiat, token, commission, conversionRate }: OrderState): Measures => {
  const asked: Measures = { ...measuresGroup.empty, orders: 1, fiat: exactOf(fiat.amount) };
  if (phase !== 'settled') return asked;
  return {
    ...asked,
    tokenAmount: token.amount === null ? ZERO : exactOf(token.amount),
    baseUnits: token.baseUnits === null ? ZERO : exactOf(token.baseUnits),
    commission: commission === null ? ZERO : exactOf(commission),
    ...rated(token.amount, conversionRate),
  };
};

/** The report of fiat → crypto. */
export const onRampReport: ReportProjection = reportProjection('onramp', measuresOf);
