import * as ord from 'fp-ts/lib/Ord.js';
import { branded } from './brand.ts';
import type { BaseUnits, Decimal } from './decimal.ts';

/**
 * An exact decimal number to reckon with, of any size: sums of amounts, and products of two of them. Opaque: the
 * functions below are all that knows its inside. Equal values may differ inside, so compare with `exactOrd`.
 */
export type Exact = {
  /** The value is `coefficient` / 10^`scale`. */
  readonly coefficient: bigint;
  readonly scale: number;
};

export const ZERO: Exact = { coefficient: 0n, scale: 0 };

const NOTHING = branded<Decimal>('0');

const POWERS: bigint[] = Array.from({ length: 80 }, (_, power) => 10n ** BigInt(power));

const powerOfTen = (power: number): bigint => POWERS[power] ?? 10n ** BigInt(power);

/** The value of digits in plain notation. */
const read = (plain: string): Exact => {
  const point = plain.indexOf('.');
  if (point === -1) return { coefficient: BigInt(plain), scale: 0 };
  return { coefficient: BigInt(plain.slice(0, point) + plain.slice(point + 1)), scale: plain.length - point - 1 };
};

/** The value of an amount or of base units. */
export const exactOf = (amount: Decimal | BaseUnits): Exact => read(amount);

/** Reads what `plainText` wrote, a number in plain notation of any size (a sum may outgrow what one amount can be); null for anything else. */
export const parseExact = (text: string): Exact | null => (/^-?\d+(?:\.\d+)?$/.test(text) ? read(text) : null);

/** What a value consists of, for another thread. */
export const partsOfExact = ({ coefficient, scale }: Exact): Exact => ({ coefficient, scale });

/** The value of such parts. Nothing is `ZERO` itself, as it is here wherever nothing was added. */
export const exactOfParts = ({ coefficient, scale }: Exact): Exact =>
  coefficient === 0n ? ZERO : { coefficient, scale };

export const isZero = (exact: Exact): boolean => exact.coefficient === 0n;

export const plus = (a: Exact, b: Exact): Exact => {
  if (b === ZERO) return a;
  if (a === ZERO) return b;
  if (a.scale === b.scale) return { coefficient: a.coefficient + b.coefficient, scale: a.scale };
  return a.scale > b.scale
    ? { coefficient: a.coefficient + b.coefficient * powerOfTen(a.scale - b.scale), scale: a.scale }
    : { coefficient: a.coefficient * powerOfTen(b.scale - a.scale) + b.coefficient, scale: b.scale };
};

export const negated = (exact: Exact): Exact =>
  exact === ZERO ? ZERO : { coefficient: -exact.coefficient, scale: exact.scale };

export const minus = (a: Exact, b: Exact): Exact => plus(a, negated(b));

export const times = (a: Exact, b: Exact): Exact => ({
  coefficient: a.coefficient * b.coefficient,
  scale: a.scale + b.scale,
});

/** The decimals that a value is written with. */
export const decimalsOf = ({ scale }: Exact): number => scale;

/** A value as a whole number of units that have so many decimals, as many as the value at least: many sums are reckoned fast so. */
export const inUnits = ({ coefficient, scale }: Exact, decimals: number): bigint =>
  coefficient * powerOfTen(decimals - scale);

/** Order by value, and with it equality by value. */
export const exactOrd: ord.Ord<Exact> = ord.fromCompare((a, b) => {
  const { coefficient } = minus(a, b);
  return coefficient < 0n ? -1 : coefficient > 0n ? 1 : 0;
});

/** Digits with the point before the last `scale` of them, without zeros at the end of a fraction. */
const plain = (digits: string, scale: number): string => {
  if (scale === 0) return digits;
  const padded = digits.padStart(scale + 1, '0');
  const point = padded.length - scale;
  let end = padded.length;
  while (end > point && padded.charAt(end - 1) === '0') end -= 1;
  return end === point ? padded.slice(0, point) : `${padded.slice(0, point)}.${padded.slice(point, end)}`;
};

/** Plain notation without trailing zeros, zero being `0` (docs/spec/finance.md, Money: sums). */
export const plainText = ({ coefficient, scale }: Exact): Decimal =>
  coefficient === 0n
    ? NOTHING
    : branded<Decimal>(coefficient < 0n ? `-${plain(String(-coefficient), scale)}` : plain(String(coefficient), scale));

const SIGNIFICANT = 12;

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

/** The whole number nearest to a quotient of whole numbers that are not negative; half goes to the even one. */
const nearestEven = (numerator: bigint, denominator: bigint): bigint => {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
};

/**
 * A quotient to 12 significant digits, half to even, rounded once (docs/spec/http.md, A report:
 * `averageConversionRate`); null for a zero denominator.
 */
export const quotient12 = (numerator: Exact, denominator: Exact): Decimal | null => {
  if (isZero(denominator)) return null;
  if (isZero(numerator)) return NOTHING;
  const shift = denominator.scale - numerator.scale;
  const above = absolute(numerator.coefficient) * (shift > 0 ? powerOfTen(shift) : 1n);
  const below = absolute(denominator.coefficient) * (shift < 0 ? powerOfTen(-shift) : 1n);
  // The quotient lies in [10^(magnitude-1), 10^(magnitude+1)): one more look tells its number of digits.
  const magnitude = String(above).length - String(below).length;
  const reaches = magnitude >= 0 ? above >= below * powerOfTen(magnitude) : above * powerOfTen(-magnitude) >= below;
  const scale = SIGNIFICANT - (reaches ? magnitude + 1 : magnitude);
  const digits =
    scale >= 0 ? nearestEven(above * powerOfTen(scale), below) : nearestEven(above, below * powerOfTen(-scale));
  const text = scale >= 0 ? plain(String(digits), scale) : String(digits * powerOfTen(-scale));
  const negative = numerator.coefficient < 0n !== denominator.coefficient < 0n;
  return branded<Decimal>(negative ? `-${text}` : text);
};
