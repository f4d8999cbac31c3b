import * as fc from 'fast-check';
import type { Flow } from '../../src/domain/flow.ts';
import { instantOf, type Instant } from '../../src/domain/instant.ts';
import {
  ExactNumber,
  isJsonNumber,
  isJsonObject,
  numberText,
  type JsonObject,
  type JsonValue,
} from '../../src/domain/json.ts';
import { OFF_RAMP_STATUSES, ON_RAMP_STATUSES } from '../../src/domain/status.ts';
import { anyCharacter } from './any-character.ts';
import { offRamp, onRamp } from './payloads.ts';

/** Any sequence of UTF-16 code units: control characters, what JSON escapes, astral characters, lone surrogates. */
export const anyText = (maxLength = 12): fc.Arbitrary<string> =>
  fc.oneof(
    fc.string({ unit: 'grapheme-ascii', maxLength }),
    fc.string({ unit: anyCharacter, maxLength }),
    fc.string({
      unit: fc.constantFrom(
        '"',
        '\\',
        '/',
        'u',
        '0',
        ',',
        '<',
        '\0',
        '\n',
        '\u007f',
        'é',
        '\u2028',
        '\ud83d',
        '\ude00',
        '€',
      ),
      maxLength,
    }),
  );

export const flows: fc.Arbitrary<Flow> = fc.constantFrom('onramp', 'offramp');

/** What an order may be called: 1 to 200 code units, well-formed, without U+0000. */
export const orderIds: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.stringMatching(/^[\w.:-]{1,40}$/) },
  {
    weight: 1,
    arbitrary: anyText(40)
      .map((text) => text.toWellFormed().replaceAll('\0', ''))
      .filter((text) => text !== ''),
  },
);

/** A status that the interface lists for the flow. */
export const listedStatuses = (flow: Flow): fc.Arbitrary<string> =>
  fc.constantFrom(...(flow === 'onramp' ? ON_RAMP_STATUSES : OFF_RAMP_STATUSES));

/** A bank's reference in one of its formats, or any other text. */
const utrs: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.stringMatching(/^(\d{12}|[A-Za-z0-9]{16,22})$/) },
  { weight: 1, arbitrary: anyText().filter((text) => text !== '') },
);

/** Milliseconds between the years 2000 and 2100. */
const epochMs: fc.Arbitrary<number> = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2100, 0) });

export const instants: fc.Arbitrary<Instant> = epochMs.map(instantOf);

const digits = (min: number, max: number): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(`^\\d{${min},${max}}$`));

/** A number of 0 or more in plain decimal notation, with zeros at its end kept: `100.00`. */
export const decimalTexts: fc.Arbitrary<string> = fc
  .tuple(fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9]\d{0,20}$/)), digits(0, 18))
  .map(([whole, fraction]) => (fraction === '' ? whole : `${whole}.${fraction}`));

/** A number in any spelling that JSON has: exponents, signed zeros, more digits than a double holds. */
export const jsonNumberTexts: fc.Arbitrary<string> = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.integer().map(String),
  fc
    .tuple(
      fc.constantFrom('', '-'),
      decimalTexts,
      fc.oneof(
        fc.constant(''),
        fc.tuple(fc.constantFrom('e', 'E', 'e+', 'e-', 'E-'), fc.nat(400)).map(([e, power]) => `${e}${power}`),
      ),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom('-0', '0.0', '1e400', '5e-324', '1e-400', '9007199254740993', '1E5', '0e-7'),
);

/** A number as the ledger reads it from that text. */
const jsonNumberOf = (text: string): number | ExactNumber =>
  String(Number(text)) === text ? Number(text) : new ExactNumber(text);

const keys = (): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom('a', 'b', 'c', '0', '1', '__proto__', 'constructor', 'toString', 'source', 'toJSON'),
    anyText(6),
  );

/** An object with these members; `__proto__` is data like any other. */
const objectOf = (entries: readonly (readonly [string, JsonValue])[]): JsonObject => Object.fromEntries(entries);

/** Any JSON value, its numbers as they were spelled. */
export const jsonValues: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true, false),
    anyText(),
    jsonNumberTexts.map(jsonNumberOf),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.uniqueArray(fc.tuple(keys(), tie('value')), { maxLength: 5, selector: ([key]) => key }).map(objectOf),
  ),
})).value;

const jsonObjects: fc.Arbitrary<JsonObject> = fc
  .uniqueArray(fc.tuple(keys(), jsonValues), { maxLength: 5, selector: ([key]) => key })
  .map(objectOf);

/** What a writer of JSON is free to choose, as numbers that `spell` takes one after the other. */
export const spellings: fc.Arbitrary<readonly number[]> = fc.array(fc.nat(1000), { minLength: 1, maxLength: 60 });

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '/': '\\/',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

const BLANKS = ['', '', '', ' ', '\n', '\t', '\r\n', '  '];

/**
 * A JSON text of the value as some writer would write it: its own blanks, order of members and escapes. Numbers keep
 * their text. The first choice 0 alone gives what `JSON.stringify` gives.
 */
export const spell = (value: JsonValue, choices: readonly number[]): string => {
  let taken = 0;
  const choose = (among: number): number => {
    const choice = choices[taken % choices.length] ?? 0;
    taken += 1;
    return choice % among;
  };
  const blank = (): string => BLANKS[choose(BLANKS.length)] ?? '';
  const unit = (char: string): string => {
    const code = char.charCodeAt(0);
    const long = `\\u${code.toString(16).padStart(4, '0')}`;
    const way = choose(12);
    if (way === 1) return long;
    if (way === 2) return long.toUpperCase().replace('\\U', '\\u');
    const short = SHORT_ESCAPES[char];
    if (short !== undefined && (char !== '/' || way === 3)) return short;
    return code < 0x20 ? long : char;
  };
  // A lone surrogate has no UTF-8, so that it is always escaped; a pair is written as it stands or as two escapes.
  const text = (source: string): string =>
    `"${Array.from(source, (char) =>
      char.isWellFormed() ? (char.length === 2 ? pair(char) : unit(char)) : JSON.stringify(char).slice(1, -1),
    ).join('')}"`;
  const pair = (char: string): string =>
    choose(2) === 0 ? char : Array.from({ length: 2 }, (_, i) => `\\u${char.charCodeAt(i).toString(16)}`).join('');
  const write = (inner: JsonValue): string => blank() + bare(inner) + blank();
  const bare = (inner: JsonValue): string => {
    if (isJsonNumber(inner)) return numberText(inner);
    if (typeof inner === 'string') return text(inner);
    if (isJsonObject(inner)) {
      const members = Object.entries(inner).map(([key, item]) => `${blank()}${text(key)}${blank()}:${write(item)}`);
      return `{${rotated(members, choose(members.length + 1)).join(',')}${members.length === 0 ? blank() : ''}}`;
    }
    return typeof inner === 'object' && inner !== null ? `[${inner.map(write).join(',')}]` : String(inner);
  };
  return write(value);
};

const rotated = <A>(items: readonly A[], by: number): readonly A[] => [...items.slice(by), ...items.slice(0, by)];

/** A JSON value beside a text of it. */
export const jsonTexts: fc.Arbitrary<{ readonly value: JsonValue; readonly text: string }> = fc
  .tuple(jsonValues, spellings)
  .map(([value, choices]) => ({ value, text: spell(value, choices) }));

const amounts = decimalTexts.map(jsonNumberOf);

const ofBothFlows = {
  orderId: orderIds,
  fiat: amounts,
  currency: fc.constantFrom('inr', 'INR', 'Usd', 'EUR'),
  chainId: fc.constantFrom(1, 137, 80001),
  metaData: jsonObjects,
};

const customers: fc.Arbitrary<JsonObject> = fc.record(
  {
    id: anyText(),
    email: fc.emailAddress(),
    name: anyText(),
    phone: fc.constantFrom<JsonValue>(
      {},
      { countrycode: '', number: '' },
      { countrycode: '+91', number: '9876543210' },
    ),
    created_at: instants,
    kyc: jsonValues,
  },
  { requiredKeys: ['id'] },
);

/** A readable on-ramp payload: any listed status or, now and then, another; optional members there or not. */
const onRampPayloads: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      ...ofBothFlows,
      status: fc.oneof(
        { weight: 9, arbitrary: listedStatuses('onramp') },
        { weight: 1, arbitrary: fc.constant('onHold') },
      ),
      customer: customers,
      createdAt: instants,
      txnHash: fc.constantFrom('', '0x6b5b9f2b'),
      transferredAmount: decimalTexts,
      transferredAmountWei: digits(1, 40),
      custom: jsonValues,
    },
    { requiredKeys: ['orderId', 'fiat', 'currency', 'chainId', 'status', 'customer', 'createdAt'] },
  )
  .map(onRamp);

/** A readable off-ramp payload: any listed status or, now and then, another; optional members there or not. */
const offRampPayloads: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      ...ofBothFlows,
      status: fc.oneof(
        { weight: 9, arbitrary: listedStatuses('offramp') },
        { weight: 1, arbitrary: fc.constant('onHold') },
      ),
      customer: customers,
      created_at: instants,
      updated_at: fc.oneof(instants, fc.constant('0001-01-01T00:00:00Z')),
      tokensDeducted: amounts,
      tds: amounts,
      utr: fc.oneof(utrs, fc.constantFrom<JsonValue>(null, '')),
      custom: jsonValues,
    },
    { requiredKeys: ['orderId', 'fiat', 'currency', 'chainId', 'status', 'customer', 'created_at'] },
  )
  .map(offRamp);

/** A readable payload of either flow. */
export const payloads: fc.Arbitrary<JsonObject> = fc.oneof(onRampPayloads, offRampPayloads);

/** The value of a number as digits and a power of ten, by whole numbers alone: `100.00` is 10000 and -2. */
const scaled = (source: string): { readonly digits: bigint; readonly power: bigint } => {
  const [mantissa = '', exponent = '0'] = source.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(`${whole}${fraction}`), power: BigInt(exponent) - BigInt(fraction.length) };
};

/** Whether two number texts of moderate exponents have one value; computed apart from what the ledger does. */
export const sameNumber = (one: string, other: string): boolean => {
  const [a, b] = [scaled(one), scaled(other)];
  const least = a.power < b.power ? a.power : b.power;
  return a.digits * 10n ** (a.power - least) === b.digits * 10n ** (b.power - least);
};

/** Whether two JSON values are equal, numbers by value and members in any order; computed apart from what the ledger does. */
export const sameValue = (a: JsonValue, b: JsonValue): boolean => {
  if (isJsonNumber(a) || isJsonNumber(b)) {
    return isJsonNumber(a) && isJsonNumber(b) && sameNumber(numberText(a), numberText(b));
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  if (isJsonObject(a) || isJsonObject(b)) {
    return isJsonObject(a) && isJsonObject(b) && sameMembers(new Map(Object.entries(a)), new Map(Object.entries(b)));
  }
  return a.length === b.length && a.every((item, i) => sameValue(item, b[i] ?? null));
};

const sameMembers = (a: ReadonlyMap<string, JsonValue>, b: ReadonlyMap<string, JsonValue>): boolean =>
  a.size === b.size &&
  [...a].every(([key, item]) => {
    const other = b.get(key);
    return other !== undefined && sameValue(item, other);
  });
