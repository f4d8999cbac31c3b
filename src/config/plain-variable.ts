import * as E from 'fp-ts/lib/Either.js';
import { configError, quoted, type ConfigError } from './config-error.ts';
import type { Environment } from './environment.ts';

/**
 * A variable's text; null where it is not set. Set but empty is wrong everywhere: it mostly comes from a template whose
 * own variable was missing, and the default in its place would surprise (an open ledger, another data directory).
 */
export const optionalText = (env: Environment, variable: string): E.Either<ConfigError, string | null> => {
  const value = env[variable];
  return value === ''
    ? E.left(configError(variable, 'it is empty', 'give it a value, or leave it unset'))
    : E.right(value ?? null);
};

export const textOr = (env: Environment, variable: string, fallback: string): E.Either<ConfigError, string> =>
  E.map((text: string | null) => text ?? fallback)(optionalText(env, variable));

/** A whole number in decimal digits, within bounds, both inclusive. */
export const integerOr = <A>(
  env: Environment,
  variable: string,
  { least, most, fallback }: { readonly least: number; readonly most: number; readonly fallback: A },
): E.Either<ConfigError, number | A> =>
  E.chain((text: string | null): E.Either<ConfigError, number | A> => {
    if (text === null) return E.right(fallback);
    const value = Number(text);
    return /^\d{1,15}$/.test(text) && value >= least && value <= most
      ? E.right(value)
      : E.left(
          configError(
            variable,
            `${quoted(text)} is out of range or no whole number`,
            `give a whole number from ${least} to ${most}`,
          ),
        );
  })(optionalText(env, variable));

/** One word out of a list. */
export const oneOf = <A extends string>(
  env: Environment,
  variable: string,
  words: readonly A[],
  fallback: A,
): E.Either<ConfigError, A> =>
  E.chain((text: string) => {
    const word = words.find((one) => one === text);
    return word === undefined
      ? E.left(configError(variable, `${quoted(text)} is unknown`, `give one of ${words.join(', ')}`))
      : E.right(word);
  })(textOr(env, variable, fallback));
