import { lstatSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { placeOfFile } from '../event-store/place-of-file.ts';
import { configError, type ConfigError } from './config-error.ts';
import type { StoreLocation } from './config.ts';
import type { Environment } from './environment.ts';
import { secretSource, type SecretSource } from './secret-source.ts';

/**
 * Reads a store's URL: `sqlite:` is a file of a given name in the data directory, `sqlite:FILE` one relative to the
 * working directory. `sqlite://HOST…` would name a file at the root, and `:memory:` would lose what was acknowledged.
 * No part of the URL goes into the error: it may hold credentials.
 */
export const sqliteLocation = (
  variable: string,
  url: string,
  dataDir: string,
  fileName: string,
  cure: string,
): E.Either<ConfigError, StoreLocation> => {
  const file = /^sqlite:(.*)$/is.exec(url)?.[1];
  if (file === undefined) {
    return E.left(configError(variable, 'it is a kind of store that this ledger does not know', cure));
  }
  if (/^\/\/(?!\/)|^:memory:|\0/.test(file)) return E.left(configError(variable, 'it names no file', cure));
  return E.right({ kind: 'sqlite', file: file === '' ? join(dataDir, fileName) : resolve(file) });
};

const CURE = 'give sqlite: (a file in the data directory) or sqlite:FILE';

const VARIABLE = 'READ_MODEL_URL';

const isLink = (file: string): boolean => {
  try {
    return lstatSync(file).isSymbolicLink();
  } catch {
    return false;
  }
};

/** Generations lie beside the file that names them: whoever comes to it by a link is to find the same ones. */
const behindLink = ({ kind, file }: StoreLocation): StoreLocation => ({
  kind,
  file: isLink(file) ? placeOfFile(file) : file,
});

/** Where read models are kept (docs/spec/configuration.md, Stores); as the event store's, the URL can come in a file. */
export const readModelLocation = (env: Environment, dataDir: string): E.Either<ConfigError, StoreLocation> =>
  E.chain((source: SecretSource | null) => {
    const { variable, text } = source ?? { variable: VARIABLE, text: 'sqlite:' };
    return /^postgres(?:ql)?:/i.test(text)
      ? E.left(configError(variable, 'postgres:// comes with a later version', CURE))
      : E.map(behindLink)(sqliteLocation(variable, text, dataDir, 'read-models.db', CURE));
  })(secretSource(env, VARIABLE));
