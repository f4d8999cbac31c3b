import { either as E } from 'fp-ts';
import { parseBusinessDay } from '../domain/business-day.ts';
import type { Problem } from '../http/problem.ts';
import { invalidParameter } from './query-problems.ts';

/** The parameters of a query string by name. */
export type Parameters = ReadonlyMap<string, string>;

/** Reads a query string; a parameter that is not among the known ones, or comes twice, is 400 `invalid-parameter`. */
export const readParameters = (querystring: string, known: readonly string[]): E.Either<Problem, Parameters> => {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(querystring)) {
    if (!known.includes(name)) return E.left(invalidParameter(name, 'is not known here'));
    if (parameters.has(name)) return E.left(invalidParameter(name, 'came more than once'));
    parameters.set(name, value);
  }
  return E.right(parameters);
};

/** How the text of a parameter is read, and what it must be. */
export type Reader<A> = { readonly expected: string; readonly read: (text: string) => A | null };

/** A parameter that may be left out, which is null; a text that can't be read is 400 `invalid-parameter`. */
export const optional = <A>(
  parameters: Parameters,
  name: string,
  { expected, read }: Reader<A>,
): E.Either<Problem, A | null> => {
  const text = parameters.get(name);
  if (text === undefined) return E.right(null);
  const value = read(text);
  return value === null ? E.left(invalidParameter(name, `expected ${expected}`)) : E.right(value);
};

/** One of some words, in exactly that spelling. */
export const oneOf = <A extends string>(words: readonly A[]): Reader<A> => ({
  expected: `one of ${words.join(', ')}`,
  read: (text) => words.find((word) => word === text) ?? null,
});

export const anyText: Reader<string> = { expected: 'a text', read: (text) => (text === '' ? null : text) };

export const businessDay: Reader<ReturnType<typeof parseBusinessDay>> = {
  expected: 'a day of the calendar as 2026-01-31',
  read: parseBusinessDay,
};

/** A revision as callers write it: `0`, `12`; null for anything else. One beyond what a number holds is beyond every head too. */
export const parseRevision = (text: string): number | null => (/^(0|[1-9]\d*)$/.test(text) ? Number(text) : null);

const USUAL_LIMIT = 50;
const MOST = 500;

/** How many entries a page has at most: 1 to 500, 50 where nothing is said (contract.md, Asking). */
export const limitParameter = (parameters: Parameters): E.Either<Problem, number> =>
  E.map((limit: number | null) => limit ?? USUAL_LIMIT)(
    optional(parameters, 'limit', {
      expected: `a whole number from 1 to ${MOST}`,
      read: (text) => (/^[1-9]\d{0,2}$/.test(text) && Number(text) <= MOST ? Number(text) : null),
    }),
  );
