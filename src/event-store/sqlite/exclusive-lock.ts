import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { pipeOrDevice } from '../../files/own-file.ts';
import { openReadOnly } from '../../sql/open-read-only.ts';
import { held, type HeldFile } from '../kept-place.ts';
import { placeOfFile } from '../place-of-file.ts';
import { openError, type OpenError } from './open-error.ts';
import { openFailure } from './schema.ts';
import { isDamage, sqliteCode } from '../sqlite-code.ts';

/** Somebody who just looks whether the lock is taken holds it up for less than this. */
const WAIT_MS = 100;

/** A lock that is taken; it keeps others out for as long as its file is the one that is held. */
export type ExclusiveLock = { readonly held: HeldFile; readonly release: () => void };

/** @param what the thing that is locked, as the refusal names it */
export const inUse = (what: string): OpenError =>
  openError('StoreInUse', `${what} is in use by another ledger`, 'stop that one, or give this one its own');

/** The lock of a file, beside it. A link to a file is locked as the file that it leads to, there already or not. */
export const lockFileOf = (file: string): string => `${placeOfFile(file)}.lock`;

/** Why a lock can't be one; null: nothing is against it. What can't be looked at is left to who opens it. */
const refused = (lockFile: string): OpenError | null => {
  const looked = E.tryCatch(() => pipeOrDevice(lockFile), String);
  return E.isLeft(looked) || looked.right === null
    ? null
    : openError('StoreMisplaced', looked.right.detail, looked.right.cure);
};

/** What opening a lock ended with. One that is no database was spoiled, and nothing is lost with it. */
const failureOf = (error: unknown, lockFile: string): OpenError =>
  isDamage(error)
    ? openError(
        'StoreDamaged',
        `${lockFile} is damaged; it is a lock, and holds nothing`,
        'stop the ledger and every command of it, then remove it: the next start makes it',
      )
    : openFailure(error, lockFile);

/**
 * Takes a lock that the operating system lets go when the process ends, however it ends: an exclusive transaction on a
 * small database of its own, which is portable, where Node has no file locks.
 *
 * @param what the thing that is locked, as the refusal names it: `DATA_DIR ./data`
 * @param withinMs how long to wait for it; the thread stands still meanwhile
 */
export const takeLock = (lockFile: string, what: string, withinMs = WAIT_MS): E.Either<OpenError, ExclusiveLock> => {
  const wrong = refused(lockFile);
  if (wrong !== null) return E.left(wrong);
  let database: Database.Database;
  try {
    database = new Database(lockFile, { timeout: withinMs });
  } catch (error) {
    return E.left(failureOf(error, lockFile));
  }
  try {
    database.exec('BEGIN EXCLUSIVE');
    const file = held(lockFile);
    if (file !== null) return E.right({ held: file, release: () => database.close() });
    // Somebody removed it in this very moment: what was locked is nobody's.
    database.close();
    return E.left(inUse(what));
  } catch (error) {
    database.close();
    return E.left(sqliteCode(error) === 'SQLITE_BUSY' ? inUse(what) : failureOf(error, lockFile));
  }
};

/** Whether somebody holds the lock of a file. Nothing is made where there is none. */
export const isLocked = (lockFile: string): E.Either<OpenError, boolean> => {
  if (!existsSync(lockFile)) return E.right(false);
  const wrong = refused(lockFile);
  if (wrong !== null) return E.left(wrong);
  let database: Database.Database | null = null;
  try {
    database = openReadOnly(lockFile, 0);
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return E.right(false);
  } catch (error) {
    return sqliteCode(error) === 'SQLITE_BUSY' ? E.right(true) : E.left(failureOf(error, lockFile));
  } finally {
    database?.close();
  }
};
