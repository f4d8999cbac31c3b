import { either as E } from 'fp-ts';
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

/** A revision as callers write it: `0`, `12`; null for anything else. One beyond what a number holds is beyond every head too. */
export const parseRevision = (text: string): number | null => (/^(0|[1-9]\d*)$/.test(text) ? Number(text) : null);
