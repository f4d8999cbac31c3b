import * as E from 'fp-ts/lib/Either.js';
import { Recent } from './recent.ts';

/** More texts than there are currencies are made up: they push each other out, and no currency for long. */
const MOST_KEPT = 1_000;

const known = new Recent<string, number>(MOST_KEPT);

const digitsOf = (currency: string): number =>
  E.getOrElse(() => 0)(
    E.tryCatch(
      () => new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0,
      () => null,
    ),
  );

/** How many digits a currency's smallest unit stands behind the point: 2 for INR, 0 for JPY, and 0 for what is no currency's code. */
export const minorUnits = (currency: string): number => {
  const before = known.get(currency);
  if (before !== undefined) return before;
  const digits = digitsOf(currency);
  known.put(currency, digits);
  return digits;
};
