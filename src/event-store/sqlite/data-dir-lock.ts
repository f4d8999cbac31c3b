import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { makeFolder } from '../../files/make-folder.ts';
import { isLocked, takeLock, type ExclusiveLock } from './exclusive-lock.ts';
import { openError, type OpenError } from './open-error.ts';

/** What is locked while a ledger serves from a data directory. */
export const lockOf = (dataDir: string): string => join(dataDir, 'ledger.lock');

/** Makes the data directory where it is not there: for its owner only, since orders are personal data. */
const makeDataDir = (dataDir: string): E.Either<OpenError, void> =>
  E.tryCatch(
    () => {
      makeFolder(dataDir);
    },
    (error) =>
      openError(
        'DataDirUnusable',
        `DATA_DIR ${dataDir} can't be made (${String(error)})`,
        'name one that can be written',
      ),
  );

/**
 * Makes the data directory where it is not there, and takes it for one ledger that serves (docs/spec/command-line.md,
 * One writer).
 */
export const lockDataDir = (dataDir: string): E.Either<OpenError, ExclusiveLock> =>
  E.flatMap(() =>
    E.mapLeft(({ _tag, detail, cure }: OpenError) =>
      openError(_tag === 'StoreMisplaced' ? 'DataDirUnusable' : _tag, detail, cure),
    )(takeLock(lockOf(dataDir), `DATA_DIR ${dataDir}`)),
  )(makeDataDir(dataDir));

/** Whether a ledger serves from a data directory, or a command that writes has it. */
export const isDataDirInUse = (dataDir: string): E.Either<OpenError, boolean> => isLocked(lockOf(dataDir));
