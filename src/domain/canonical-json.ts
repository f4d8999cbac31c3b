import { isJsonNumber, isJsonObject, numberText, type JsonObject, type JsonValue } from './json.ts';

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** A loop and no regular expression: `/0+$/` would try again at each run of zeros, which takes quadratic time for long ones. */
const withoutTrailingZeros = (digits: string): string => {
  let end = digits.length;
  while (digits.charAt(end - 1) === '0') end -= 1;
  return digits.slice(0, end);
};

/** One spelling for each value of a JSON number: significant digits and a power of ten, of any size. */
const canonicalNumber = (source: string): string => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(source) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutTrailingZeros(digits);
  if (significant === '') return '0';
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${sign}${significant}e${power}`;
};

const canonicalObject = (object: JsonObject): string =>
  `{${Object.entries(object)
    .toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([key, value]) => `${JSON.stringify(key)}:${canonicalJson(value)}`)
    .join(',')}}`;

/** A text for a JSON value: equal values give equal texts, whatever the order of members, blanks, escapes or the spelling of numbers. */
export const canonicalJson = (value: JsonValue): string => {
  if (isJsonNumber(value)) return canonicalNumber(numberText(value));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return isJsonObject(value) ? canonicalObject(value) : `[${value.map(canonicalJson).join(',')}]`;
};
