/** A number of a JSON text, by its source. */
export class NumberSource {
  readonly source: string;
  constructor(source: string) {
    this.source = source;
  }
}

/** Parses JSON and keeps the digits of every number, by what ES2026 hands to a reviver. */
export const parseKeepingDigits = (text: string): unknown =>
  JSON.parse(text, (...args: readonly unknown[]): unknown => {
    const [, value, context] = args;
    return typeof value === 'number' ? new NumberSource(String(at(context, 'source'))) : value;
  });

/** The member at a path; undefined where there is none. */
export const at = (value: unknown, ...path: readonly string[]): unknown => {
  let here = value;
  for (const key of path) {
    here = typeof here === 'object' && here !== null && Object.hasOwn(here, key) ? Reflect.get(here, key) : undefined;
  }
  return here;
};

/** The places after the point of an amount that is held as a whole number. */
export const PLACES = 80n;

/** The value of a number text in units of 10^-80; null where it is no number. */
export const scaled = (text: string): bigint | null => {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const power = PLACES - BigInt(fraction.length) + BigInt(exponent);
  const digits = BigInt(whole + fraction);
  const value = power >= 0n ? digits * 10n ** power : digits / 10n ** -power;
  return sign === '-' ? -value : value;
};

/** The plain text of a value in units of 10^-places, without zeros at the end. */
export const unscaled = (value: bigint, places = PLACES): string => {
  const sign = value < 0n ? '-' : '';
  const digits = String(value < 0n ? -value : value).padStart(Number(places) + 1, '0');
  const [whole, fraction] = [digits.slice(0, -Number(places)), digits.slice(-Number(places))];
  return `${sign}${whole}.${fraction}`.replace(/\.?0*$/, '');
};

/** One text for values that are equal as the ledger compares facts: members in any order, numbers by value. */
export const canonical = (value: unknown): string => {
  if (value instanceof NumberSource) return `#${String(scaled(value.source))}`;
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`);
  return `{${members.toSorted().join(',')}}`;
};

/** The text at a path; empty where there is none. */
export const textAt = (payload: unknown, ...path: readonly string[]): string => {
  const value = at(payload, ...path);
  return typeof value === 'string' ? value : '';
};

/** The value of the number at a path. */
export const numberAt = (payload: unknown, ...path: readonly string[]): bigint | null => {
  const value = at(payload, ...path);
  return value instanceof NumberSource ? scaled(value.source) : null;
};

/** The value of the number that the text at a path spells. */
export const numberTextAt = (payload: unknown, ...path: readonly string[]): bigint | null =>
  scaled(textAt(payload, ...path));
