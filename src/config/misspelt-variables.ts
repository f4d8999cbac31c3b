import { nearest, oneSlipAway } from '../domain/nearest.ts';
import type { Environment } from './environment.ts';

/** A shorter name is near to what many programs call their own: `HOST`, `PORT`. */
const SHORTEST = 8;
/** Of a name that is shorter than this, two slips make another word. */
const LONG = 12;

const FILE = /_FILE$/;

/** Which of the known variables somebody meant who set another one; null where none is near. */
const meantBy = (name: string, known: readonly string[]): string | null => {
  const upper = name.toUpperCase();
  const word = nearest(upper, known);
  if (word !== null && (word === upper || word.length >= LONG || oneSlipAway(upper).includes(word))) return word;
  // One that can't be given in a file, as others can.
  const bare = upper.replace(FILE, '');
  if (bare === upper) return null;
  return known.includes(bare) ? bare : meantBy(bare, known);
};

/** A variable that nobody reads, and the one that was probably meant. */
export type MisspeltVariable = { readonly name: string; readonly meant: string };

/**
 * The variables of an environment that the ledger does not read, and that are named nearly as one that it does, which is
 * not set: what they say would be missed without a word. Of all others nothing is said; an environment is full of them.
 */
export const misspeltVariables = (env: Environment, known: readonly string[]): readonly MisspeltVariable[] => {
  const isSet = (name: string): boolean => env[name] !== undefined;
  const near = known.filter((name) => name.length >= SHORTEST);
  return Object.keys(env).flatMap((name) => {
    if (!isSet(name) || known.includes(name)) return [];
    const meant = meantBy(name, near);
    if (meant === null) return [];
    const bare = meant.replace(FILE, '');
    return [bare, `${bare}_FILE`].some((form) => form !== name && isSet(form)) ? [] : [{ name, meant }];
  });
};

/** What whoever started the ledger should hear of them, a line each, without a value. */
export const misspeltWarnings = (env: Environment, known: readonly string[]): readonly string[] =>
  misspeltVariables(env, known).map(
    ({ name, meant }) => `${name} has no effect: the ledger reads no such variable; ${meant} was probably meant`,
  );
