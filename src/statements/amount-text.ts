import { parseDecimal, type Decimal } from '../domain/decimal.ts';

/** An amount as XML and OFX write it: digits, a point, an optional sign; null for anything else. An exponent is none. */
export const plainAmount = (text: string): Decimal | null =>
  /^[+-]?(?:\d{1,78}(?:\.\d{0,36})?|\.\d{1,36})$/.test(text)
    ? parseDecimal(
        text
          .replace('+', '')
          .replace(/^(-?)\./, '$10.')
          .replace(/\.$/, ''),
      )
    : null;

/** The amount without its sign. */
export const magnitude = (amount: Decimal): Decimal => {
  const text = amount.startsWith('-') ? amount.slice(1) : amount;
  return parseDecimal(text) ?? amount;
};

/** The amount with a minus, but for zero. */
export const negative = (amount: Decimal): Decimal => parseDecimal(`-${amount}`) ?? amount;
