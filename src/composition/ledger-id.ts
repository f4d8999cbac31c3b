import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { generateOnce, readGenerated, type ConfigError, type GeneratedKind } from '../config/index.ts';

const VARIABLE = 'DATA_DIR';
const BYTES = 16;

const ID: GeneratedKind = {
  make: (random) => random(BYTES).toString('hex'),
  is: (text) => /^[0-9a-f]{32}$/.test(text),
  form: 'one line of 32 hex digits',
};

const fileOf = (dataDir: string): string => join(dataDir, 'ledger-id');

/** What a data directory is known by wherever it is moved or copied to; null before its first start, or where it can't be read. */
export const ledgerIdIn = (dataDir: string): string | null =>
  E.getOrElse((): string | null => null)(readGenerated(VARIABLE, fileOf(dataDir), ID));

/** Gives a data directory its id, once for good. To be called by the ledger that serves from it. */
export const giveLedgerId = (dataDir: string): E.Either<ConfigError, string> =>
  E.chain((kept: string | null): E.Either<ConfigError, string> =>
    kept === null ? generateOnce(VARIABLE, fileOf(dataDir), randomBytes, ID) : E.right(kept),
  )(readGenerated(VARIABLE, fileOf(dataDir), ID));
