import type { Filling } from './ledger-filler.ts';
import type { Parameters } from './query-kind.ts';

const DAY_MS = 86_400_000;
const MONTH_DAYS = 30;
const YEAR_DAYS = 365;

const dayText = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

const span = (from: number, days: number): Parameters => ({
  from: dayText(from),
  to: dayText(from + (days - 1) * DAY_MS),
});

/** Days from and to which questions ask, inclusive. */
export type QueryDates = {
  /** A month of the ledger, another one for each `n`. */
  readonly month: (n: number) => Parameters;
  /** A year of it. */
  readonly year: (n: number) => Parameters;
  /** The year that ends with its last day. */
  readonly lastYear: Parameters;
  /** A month around a moment, ms since 1970. */
  readonly monthAround: (epochMs: number) => Parameters;
};

export const queryDates = ({ from, until }: Filling): QueryDates => {
  const days = Math.floor((until - from) / DAY_MS);
  /** Any stretch of so many days; the steps between are no divisor of what there is to choose from. */
  const stretch = (n: number, length: number): Parameters =>
    span(from + ((n * 37) % Math.max(1, days - length)) * DAY_MS, length);
  return {
    month: (n) => stretch(n, MONTH_DAYS),
    year: (n) => stretch(n, YEAR_DAYS),
    lastYear: span(until - (YEAR_DAYS - 1) * DAY_MS, YEAR_DAYS),
    monthAround: (epochMs) => span(epochMs - (MONTH_DAYS / 2) * DAY_MS, MONTH_DAYS),
  };
};
