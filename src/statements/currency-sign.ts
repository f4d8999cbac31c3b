import type { CurrencyCode } from '../domain/statement-line.ts';

/** How rupees are written in letters, whosever they are. */
const RUPEES: ReadonlySet<string> = new Set(['INR', 'PKR', 'LKR', 'NPR', 'MUR', 'SCR']);

const signOf = (currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find(({ type }) => type === 'currency')?.value ?? currency;

/** The currencies that have a sign of their own or share it; empty before the first figure that has one. */
const bySign = new Map<string, ReadonlySet<string>>();

const withSign = (sign: string): ReadonlySet<string> => {
  const known = bySign.get(sign);
  if (known !== undefined) return known;
  const found = new Set(Intl.supportedValuesOf('currency').filter((currency) => signOf(currency).includes(sign)));
  bySign.set(sign, found);
  return found;
};

/** Whether a code or sign beside a figure can mean that currency. A sign that no currency is known by says nothing. */
export const canMean = (written: string, currency: CurrencyCode): boolean => {
  if (written.startsWith('Rs')) return RUPEES.has(currency);
  if (/^[A-Z]{3}$/.test(written)) return written === currency;
  const its = withSign(written);
  return its.size === 0 || its.has(currency);
};
