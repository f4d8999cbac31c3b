import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { openError, type OpenError } from './open-error.ts';
import { openFailure } from './schema.ts';
import { sqliteCode } from '../sqlite-code.ts';

/** Somebody who just looks whether the lock is taken holds it up for less than this. */
const WAIT_MS = 100;

export type ExclusiveLock = { readonly release: () => void };

/**
 * Takes a lock that the operating system lets go when the process ends, however it ends: an exclusive transaction on a
 * small database of its own, which is portable, where Node has no file locks.
 *
 * @param what the thing that is locked, as the refusal names it: `DATA_DIR ./data`
 * @param withinMs how long to wait for it; the thread stands still meanwhile
 */
export const takeLock = (lockFile: string, what: string, withinMs = WAIT_MS): E.Either<OpenError, ExclusiveLock> => {
  let database: Database.Database;
  try {
    database = new Database(lockFile, { timeout: withinMs });
  } catch (error) {
    return E.left(openFailure(error, lockFile));
  }
  try {
    database.exec('BEGIN EXCLUSIVE');
    return E.right({ release: () => database.close() });
  } catch (error) {
    database.close();
    return sqliteCode(error) === 'SQLITE_BUSY'
      ? E.left(
          openError('StoreInUse', `${what} is in use by another ledger`, 'stop that one, or give this one its own'),
        )
      : E.left(openFailure(error, lockFile));
  }
};

/** Whether somebody holds the lock of a file. Nothing is made where there is none. */
export const isLocked = (lockFile: string): E.Either<OpenError, boolean> => {
  if (!existsSync(lockFile)) return E.right(false);
  let database: Database.Database | null = null;
  try {
    database = new Database(lockFile, { readonly: true, fileMustExist: true, timeout: 0 });
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return E.right(false);
  } catch (error) {
    return sqliteCode(error) === 'SQLITE_BUSY' ? E.right(true) : E.left(openFailure(error, lockFile));
  } finally {
    database?.close();
  }
};
