import { Big } from 'big.js';
import { branded, type Brand } from './brand.ts';
import { guardedText } from './guarded.ts';

/** An exact number in plain decimal notation with the digits that came: `1051823.6300000001`, `100.00`, `-1.5`; never an exponent. */
export type Decimal = Brand<string, 'Decimal'>;

/** Base units (wei) as 1 to 78 digits without leading zeros. */
export type BaseUnits = Brand<string, 'BaseUnits'>;

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** What is in plain notation and within the bounds as it stands, as most numbers are. */
const PLAIN = /^(?:0|[1-9]\d{0,77})(?:\.\d{1,36})?$/;

/** Bounds of what is read as a number (docs/spec/domain.md, What must be readable): 78 digits hold any uint256. */
const MOST_BEFORE_POINT = 78;
const MOST_AFTER_POINT = 36;

const withoutLeadingZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, '');

/**
 * Reads a number as JSON writes it, or a decimal string. The exponent is written out, its size being judged before, so
 * `1e999999999` costs nothing. Null where it is no number, or has more than 78 digits before or 36 after the point.
 */
export const parseDecimal = (text: string): Decimal | null => {
  if (PLAIN.test(text)) return branded<Decimal>(text);
  const match = NUMBER.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match;
  const digits = whole + fraction;
  const exponent = /[1-9]/.test(digits) ? Number(exponentText) : Math.min(0, Number(exponentText));
  const before = whole.length + exponent;
  const after = Math.max(0, fraction.length - exponent);
  const significantBefore = before - (/^0*/.exec(digits)?.[0].length ?? 0);
  if (significantBefore > MOST_BEFORE_POINT || after > MOST_AFTER_POINT) return null;
  const padded = before > 0 ? digits.padEnd(before, '0') : '0'.repeat(1 - before) + digits;
  const point = Math.max(1, before);
  const plain = withoutLeadingZeros(padded.slice(0, point)) + (after > 0 ? `.${padded.slice(point)}` : '');
  return branded<Decimal>(sign === '-' && /[1-9]/.test(plain) ? `-${plain}` : plain);
};

/** Reads base units: digits only (docs/spec/provider.md: "a string of digits"). */
export const parseBaseUnits = (text: string): BaseUnits | null => {
  if (!/^\d+$/.test(text)) return null;
  const digits = withoutLeadingZeros(text);
  return digits.length > MOST_BEFORE_POINT ? null : branded<BaseUnits>(digits);
};

/** The codec of decimals, in the notation that the ledger writes. */
export const DecimalText = guardedText('decimal', (text): text is Decimal => parseDecimal(text) === text);

/** The codec of base units. */
export const BaseUnitsText = guardedText('base units', (text): text is BaseUnits => parseBaseUnits(text) === text);

export const isNegative = (decimal: Decimal): boolean => decimal.startsWith('-');

/** The same value in one spelling, so that equal values are equal texts: no trailing zeros, no point without digits. */
export const normalised = (decimal: Decimal): Decimal =>
  decimal.includes('.') ? branded<Decimal>(new Big(decimal).toFixed()) : decimal;
