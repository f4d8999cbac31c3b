import * as E from 'fp-ts/lib/Either.js';

const known = new Map<string, number>();

const digitsOf = (currency: string): number =>
  E.getOrElse(() => 0)(
    E.tryCatch(
      () => new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0,
      () => null,
    ),
  );

/** More texts than there are currencies are made up, and not kept. */
const MOST_KEPT = 500;

/** How many digits a currency's smallest unit stands behind the point: 2 for INR, 0 for JPY, and 0 for what is no currency's code. */
export const minorUnits = (currency: string): number => {
  const digits = known.get(currency) ?? digitsOf(currency);
  if (known.size < MOST_KEPT) known.set(currency, digits);
  return digits;
};
