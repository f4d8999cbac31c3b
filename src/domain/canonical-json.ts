import { isJsonNumber, isJsonObject, numberText, type JsonValue } from './json.ts';

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** A loop and no regular expression: `/0+$/` would try again at each run of zeros, which takes quadratic time for long ones. */
const withoutTrailingZeros = (digits: string): string => {
  let end = digits.length;
  while (digits.charAt(end - 1) === '0') end -= 1;
  return digits.slice(0, end);
};

/** With more digits than these, computing with all of them takes longer than a text of them should. */
const LONG_EXPONENT = 300;
const LAST_DIGITS = 12;

/** Digits one higher, or one lower: what is carried runs through those at the end that are nines, or zeros. */
const stepped = (digits: string, up: boolean): string => {
  const [full, empty] = up ? ['9', '0'] : ['0', '9'];
  let at = digits.length - 1;
  while (at >= 0 && digits.charAt(at) === full) at -= 1;
  const head = at < 0 ? '1' : digits.slice(0, at) + String(Number(digits.charAt(at)) + (up ? 1 : -1));
  return (head + empty.repeat(digits.length - 1 - at)).replace(/^0+/, '');
};

/** A whole number moved by a small one, as text: exactly what computing with both as BigInt gives. */
const movedBy = (exponent: string, by: number): string => {
  const negative = exponent.startsWith('-');
  const digits = exponent.replace(/^[+-]?0*/, '');
  if (digits.length <= LONG_EXPONENT) return String(BigInt(exponent) + BigInt(by));
  const unit = 10 ** LAST_DIGITS;
  const last = Number(digits.slice(-LAST_DIGITS)) + (negative ? -by : by);
  const before = digits.slice(0, -LAST_DIGITS);
  const head = last < 0 || last >= unit ? stepped(before, last >= unit) : before;
  const rest = String((last + unit) % unit).padStart(LAST_DIGITS, '0');
  return `${negative ? '-' : ''}${head}${rest}`;
};

/** One spelling for each value of a JSON number: significant digits and a power of ten, of any size. */
const canonicalNumber = (source: string): string => {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(source) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutTrailingZeros(digits);
  if (significant === '') return '0';
  const moved = digits.length - significant.length - fraction.length;
  return `${sign}${significant}e${exponent === '0' ? moved : movedBy(exponent, moved)}`;
};

const byKey = ([a]: readonly [string, JsonValue], [b]: readonly [string, JsonValue]): number =>
  a < b ? -1 : a > b ? 1 : 0;

const whole = /^-?\d{1,15}$/;

/** The same spelling for what most numbers are. */
const canonicalOf = (source: string): string => {
  if (!whole.test(source)) return canonicalNumber(source);
  let [value, zeros] = [Number(source), 0];
  if (value === 0) return '0';
  while (value % 10 === 0) [value, zeros] = [value / 10, zeros + 1];
  return `${value}e${zeros}`;
};

/** A text behind the one before it: one for each level would copy what lies deep once for every level. */
const written = (before: string, value: JsonValue): string => {
  if (isJsonNumber(value)) return before + canonicalOf(numberText(value));
  if (typeof value !== 'object' || value === null) return before + JSON.stringify(value);
  if (!isJsonObject(value)) {
    let text = `${before}[`;
    for (const [at, item] of value.entries()) text = written(at === 0 ? text : `${text},`, item);
    return `${text}]`;
  }
  return writtenMembers(before, Object.entries(value));
};

const writtenMembers = (before: string, members: readonly (readonly [string, JsonValue])[]): string => {
  let text = `${before}{`;
  let separator = '';
  for (const [key, member] of members.toSorted(byKey)) {
    text = written(`${text}${separator}${JSON.stringify(key)}:`, member);
    separator = ',';
  }
  return `${text}}`;
};

/** A text for a JSON value: equal values give equal texts, whatever the order of members, blanks, escapes or the spelling of numbers. */
export const canonicalJson = (value: JsonValue): string => written('', value);

/**
 * The same of an object by its members, each of another name: one that has most members of another object need not be made for it,
 * which takes longer than all else where there are tens of thousands.
 */
export const canonicalMembers = (members: readonly (readonly [string, JsonValue])[]): string =>
  writtenMembers('', members);
