import { join, resolve } from 'node:path';
import { either as E } from 'fp-ts';
import { configError, type ConfigError } from './config-error.ts';
import type { StoreLocation } from './config.ts';
import type { Environment } from './environment.ts';
import { textOr } from './plain-variable.ts';

const CURE = 'give sqlite: (a file in the data directory) or sqlite:FILE';

/** The schemes that the contract names and this version lacks. */
const LATER: Readonly<Record<string, readonly string[]>> = {
  EVENT_STORE_URL: ['esdb:', 'esdb+discover:'],
  READ_MODEL_URL: ['postgres:', 'postgresql:'],
};

/** No part of the URL goes into the error: it may hold credentials. */
const problemOf = (variable: string, url: string): string => {
  const scheme = LATER[variable]?.find((later) => url.toLowerCase().startsWith(later));
  return scheme === undefined
    ? 'it is a kind of store that this ledger does not know'
    : `${scheme}// comes with a later version`;
};

/**
 * Reads a store's URL: `sqlite:` is a file of a given name in the data directory, `sqlite:FILE` one relative to the
 * working directory. `sqlite://HOST…` would name a file at the root, and `:memory:` would lose what was acknowledged.
 */
export const storeLocation = (
  env: Environment,
  variable: 'EVENT_STORE_URL' | 'READ_MODEL_URL',
  dataDir: string,
  fileName: string,
): E.Either<ConfigError, StoreLocation> =>
  E.chain((url: string): E.Either<ConfigError, StoreLocation> => {
    const file = /^sqlite:(.*)$/is.exec(url)?.[1];
    if (file === undefined) return E.left(configError(variable, problemOf(variable, url), CURE));
    if (/^\/\/(?!\/)|^:memory:|\0/.test(file)) return E.left(configError(variable, 'it names no file', CURE));
    return E.right({ kind: 'sqlite', file: file === '' ? join(dataDir, fileName) : resolve(file) });
  })(textOr(env, variable, 'sqlite:'));

/** A prefix is for servers that several ledgers share (contract.md, EVENT_STORE_STREAM_PREFIX); a SQLite file has one owner. */
export const noStreamPrefix = (env: Environment): E.Either<ConfigError, null> =>
  env['EVENT_STORE_STREAM_PREFIX'] === undefined
    ? E.right(null)
    : E.left(
        configError(
          'EVENT_STORE_STREAM_PREFIX',
          'it is for EventStoreDB only, and the event store is SQLite',
          'leave it unset',
        ),
      );
