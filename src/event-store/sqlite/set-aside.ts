import { closeSync, openSync, copyFileSync, existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { syncFolderOf } from '../durable-writes.ts';
import { sqliteCode } from '../sqlite-code.ts';
import { openReader } from './open-database.ts';
import { openError, type OpenError } from './open-error.ts';

/** What SQLite keeps of a database beside it, and what without it is not whole. */
const LOGS = ['-wal', '-journal'] as const;

const inUse = (file: string): OpenError =>
  openError('StoreInUse', `${file} is being read by a command`, 'try again when that has ended');

/**
 * Takes what stands in the logs of a store into its file, so that one name is all of it. A file that is damaged, or none of
 * the ledger's, is left as it is: SQLite itself would take away a log that it can't read.
 */
const foldLogs = (file: string): E.Either<OpenError, void> => {
  const readable = openReader(file);
  if (E.isLeft(readable)) return E.right(undefined);
  readable.right.close();
  let database: Database.Database | null = null;
  try {
    database = new Database(file, { fileMustExist: true });
    // Another journal mode would leave a journal behind where it is cut off, which a command that only reads can't take back.
    const busy = database.pragma('wal_checkpoint(TRUNCATE)', { simple: true });
    return busy === 0 ? E.right(undefined) : E.left(inUse(file));
  } catch (error) {
    return sqliteCode(error) === 'SQLITE_BUSY' ? E.left(inUse(file)) : E.right(undefined);
  } finally {
    database?.close();
  }
};

/** A second name, so that the first is never without a file; a copy where the file system has no second names. */
const alsoNamed = (file: string, aside: string): void => {
  try {
    linkSync(file, aside);
  } catch {
    closeSync(openSync(aside, 'wx', 0o600));
    copyFileSync(file, aside);
  }
};

/**
 * Keeps a store under another name too, before another one takes its place by a rename. Wherever it is cut off, all that was
 * committed is under the one name or the other, and a start finds the old store, never none: it would make an empty one.
 *
 * @throws what the file system ends it with
 */
export const setAside = (file: string, aside: string): E.Either<OpenError, void> => {
  const folded = existsSync(file) ? foldLogs(file) : E.right(undefined);
  if (E.isLeft(folded)) return folded;
  if (existsSync(file)) alsoNamed(file, aside);
  // What could not be folded belongs to the old store alone: SQLite would play it into the new one.
  for (const log of LOGS) if (existsSync(`${file}${log}`)) renameSync(`${file}${log}`, `${aside}${log}`);
  rmSync(`${file}-shm`, { force: true });
  syncFolderOf(file);
  return E.right(undefined);
};
