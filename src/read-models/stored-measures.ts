import { isZero, parseExact, plainText, ZERO, type Exact } from '../domain/exact.ts';
import { readArray } from './stored-array.ts';
import type { Measures } from '../../projections/report/index.ts';

/** Measures as a database keeps them: exact, as plain decimals. `settled`: those of settled orders as JSON, null where all are zero. */
export type StoredMeasures = { readonly orders: number; readonly fiat: string; readonly settled: string | null };

/** Those that are zero but for settled orders, in the order in which they are stored. */
const ofSettled = ({
  tokenAmount,
  baseUnits,
  commission,
  tds,
  ratedAmount,
  rateWeight,
}: Measures): readonly Exact[] => [tokenAmount, baseUnits, commission, tds, ratedAmount, rateWeight];

export const storedMeasures = (measures: Measures): StoredMeasures => {
  const settled = ofSettled(measures);
  return {
    orders: measures.orders,
    fiat: plainText(measures.fiat),
    settled: settled.every(isZero) ? null : JSON.stringify(settled.map(plainText)),
  };
};

const number = (text: unknown): Exact => (typeof text === 'string' ? (parseExact(text) ?? ZERO) : ZERO);

export const readMeasures = ({ orders, fiat, settled }: StoredMeasures): Measures => {
  const parts = settled === null ? null : readArray(settled);
  const [tokenAmount, baseUnits, commission, tds, ratedAmount, rateWeight] = parts ?? [];
  return {
    orders,
    fiat: number(fiat),
    tokenAmount: number(tokenAmount),
    baseUnits: number(baseUnits),
    commission: number(commission),
    tds: number(tds),
    ratedAmount: number(ratedAmount),
    rateWeight: number(rateWeight),
  };
};
