import * as E from 'fp-ts/lib/Either.js';
import { parseBusinessDay, type BusinessDay } from '../../domain/business-day.ts';
import type { JsonObject } from '../../domain/json.ts';
import { illFormed, type Forbidden, type InvalidParameter } from '../failure/query-failure.ts';
import { nearest } from '../../domain/nearest.ts';

/** How the text of a parameter is read, what it must be, and the schema that says so to programs. */
export type Reader<A> = {
  readonly expected: string;
  readonly schema: JsonObject;
  readonly read: (text: string) => A | null;
  /** The words that it is made of, where it is. */
  readonly words?: readonly string[];
};

/** A parameter of a query string, and what it is for. */
export type Parameter<A> = Reader<A> & {
  readonly about: string;
  /** A scope that a caller needs for this text beside those of the route; null: none. */
  readonly needs?: (text: string) => string | null;
  /** That it ends a stretch which another parameter begins. `isBefore` compares texts that were read before. */
  readonly ends?: { readonly from: string; readonly isBefore: (to: string, from: string) => boolean };
};

/** The parameters that a route knows, by name. */
export type ParameterTable = Readonly<Record<string, Parameter<unknown>>>;

/** What a query string says, by the table that it was read with; null where it says nothing. */
export type Query<T extends ParameterTable> = {
  readonly [N in keyof T]: (T[N] extends Parameter<infer A> ? A : never) | null;
};

/** Names and texts as they came, from a query string or a command line. */
export type ParameterTexts = readonly (readonly [string, string])[];

/** Each word is compared with all that are known, letter by letter, before anybody else has the thread. */
const MOST_LOOKED_AT = 8;

/** Which words somebody may have meant; of a list of words the first few that are none are looked at, each once. */
const meant = (text: string, { words = [] }: Parameter<unknown>): readonly string[] => {
  const known = new Set(words);
  const wrong = new Set<string>();
  for (const word of text.split(',')) {
    if (wrong.size === MOST_LOOKED_AT) break;
    if (!known.has(word)) wrong.add(word);
  }
  return [...wrong].flatMap((word) => nearest(word, words) ?? []);
};

const known = (table: ParameterTable, name: string): Parameter<unknown> | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

const unknown = (parameter: string, table: ParameterTable): InvalidParameter => ({
  _tag: 'InvalidParameter',
  parameter,
  fault: { _tag: 'Unknown', meant: nearest(parameter, Object.keys(table)) },
});

/** The beginning of a stretch that lies behind its end. */
const backwards = (texts: ParameterTexts, table: ParameterTable): InvalidParameter | null => {
  for (const [name, to] of texts) {
    const ends = known(table, name)?.ends;
    const from = texts.find(([other]) => other === ends?.from)?.[1];
    if (ends === undefined || from === undefined || !ends.isBefore(to, from)) continue;
    return { _tag: 'InvalidParameter', parameter: ends.from, fault: { _tag: 'Backwards', to: name } };
  }
  return null;
};

const repeated = (parameter: string): InvalidParameter => ({
  _tag: 'InvalidParameter',
  parameter,
  fault: { _tag: 'Repeated' },
});

/**
 * Reads parameters. A text that needs a scope which the caller lacks is forbidden, before anything else is said; then it
 * is refused that a parameter is unknown, comes twice or is ill-formed, and that a stretch ends before it begins.
 */
export function readParameters<T extends ParameterTable>(
  texts: ParameterTexts,
  table: T,
  may: (scope: string) => boolean,
): E.Either<InvalidParameter | Forbidden, Query<T>>;
export function readParameters(
  texts: ParameterTexts,
  table: ParameterTable,
  may: (scope: string) => boolean,
): E.Either<InvalidParameter | Forbidden, object> {
  for (const [name, text] of texts) {
    const needed = known(table, name)?.needs?.(text) ?? null;
    if (needed !== null && !may(needed)) return E.left({ _tag: 'Forbidden', scope: needed, parameter: name });
  }
  const values = new Map<string, unknown>();
  for (const [name, text] of texts) {
    const parameter = known(table, name);
    if (parameter === undefined) return E.left(unknown(name, table));
    if (values.has(name)) return E.left(repeated(name));
    const value = parameter.read(text);
    if (value === null) return E.left(illFormed(name, parameter.expected, meant(text, parameter)));
    values.set(name, value);
  }
  const swapped = backwards(texts, table);
  if (swapped !== null) return E.left(swapped);
  return E.right(Object.fromEntries(Object.keys(table).map((name) => [name, values.get(name) ?? null])));
}

/** A reader as a parameter. */
export const parameter = <A>(
  about: string,
  reader: Reader<A> & Pick<Parameter<A>, 'needs' | 'ends'>,
): Parameter<A> => ({
  about,
  ...reader,
});

/** One of some words, in exactly that spelling. */
export const oneOf = <A extends string>(words: readonly A[]): Reader<A> => ({
  expected: `one of ${words.join(', ')}`,
  schema: { type: 'string', enum: words },
  read: (text) => words.find((word) => word === text) ?? null,
  words,
});

export const anyText: Reader<string> = {
  expected: 'a text',
  schema: { type: 'string', minLength: 1 },
  read: (text) => (text === '' ? null : text),
};

export const businessDay: Reader<BusinessDay> = {
  expected: 'a day of the calendar as 2026-01-31',
  schema: { type: 'string', format: 'date' },
  read: parseBusinessDay,
};

/** The last day of a stretch that `from` begins, where one that ends before it begins is a mistake. */
export const lastBusinessDay: Reader<BusinessDay> & Pick<Parameter<BusinessDay>, 'ends'> = {
  ...businessDay,
  ends: { from: 'from', isBefore: (to, from) => to < from },
};

/** A whole number of up to nine digits. */
export const wholeNumber: Reader<number> = {
  expected: 'a whole number of up to nine digits',
  schema: { type: 'integer', minimum: 0, maximum: 999_999_999 },
  read: (text) => (/^(?:0|[1-9]\d{0,8})$/.test(text) ? Number(text) : null),
};

/** A revision as callers write it: `0`, `12`; null for anything else. One beyond what a number holds is beyond every head too. */
export const parseRevision = (text: string): number | null => (/^(0|[1-9]\d*)$/.test(text) ? Number(text) : null);

/** How many entries a page has where nothing is said (docs/spec/http.md, Lists). */
export const USUAL_LIMIT = 50;
const MOST = 500;

export const limitParameter: Parameter<number> = {
  about: 'How many entries a page has at most; `next` says whether there are more.',
  expected: `a whole number from 1 to ${MOST}`,
  schema: { type: 'integer', minimum: 1, maximum: MOST, default: USUAL_LIMIT },
  read: (text) => (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= MOST ? Number(text) : null),
};

/** `cursor` as it came; each list reads its own. */
export const cursorParameter: Parameter<string> = parameter('`next` of the page before: the list goes on behind it.', {
  ...anyText,
  expected: 'the cursor of a page',
  read: (text) => text,
});

/** `position` as it came; the store says whether it has given it. */
export const positionText: Parameter<string> = parameter(
  'A `position` of an answer before: the answer waits up to five seconds until it includes that one.',
  { ...anyText, expected: 'a position', read: (text) => text },
);
