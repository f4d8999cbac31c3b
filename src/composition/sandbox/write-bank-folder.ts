import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { CommandFailure } from '../../cli/command-failure.ts';
import { errorCode } from '../../config/error-code.ts';
import { CSV_PROFILE } from '../../sandbox/money/csv-statement.ts';
import { explorerFile } from '../../sandbox/money/explorer-file.ts';
import type { Money } from '../../sandbox/money/money.ts';

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/**
 * Writes what bank and chains have into a folder, which is made where it is missing: the statements under their names, the
 * profile of those that are CSV as `profile.json`, each chain's transfers as `chain-137.csv`, and what a ledger must find as
 * `expected.json`. What stood there under these names is written over.
 */
export const writeBankFolder = (
  folder: string,
  { files, movements, expected }: Money,
): E.Either<CommandFailure, void> => {
  const written: readonly (readonly [string, string])[] = [
    ...files.map(({ name, text }) => [name, text] as const),
    ...[...movements].map(([chainId, its]) => [`chain-${chainId}.csv`, explorerFile(its)] as const),
    ['profile.json', json(CSV_PROFILE)],
    ['expected.json', json(expected)],
  ];
  try {
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of written) writeFileSync(join(folder, name), text);
    return E.right(undefined);
  } catch (error) {
    const problem = `${folder} can't be written (${errorCode(error)}); name a folder that can be written to`;
    return E.left({ status: 1, line: `--bank-dir: ${problem}` });
  }
};
