import { chmodSync, closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { either as E } from 'fp-ts';
import { SpoolFile } from './spool-file.ts';
import { spoolOpenFailure, type SpoolOpenError } from './spool-open-error.ts';
import { prepareSpoolSchema } from './spool-schema.ts';

/** Bodies hold personal data. SQLite gives the files beside the spool the mode that the spool has. */
const OWNER_ONLY = 0o600;
/** Another process that just reads may be taking in the log of a spool that was killed. */
const WAIT_AT_OPENING_MS = 1_000;
/** The receiving thread stands still meanwhile. */
const WAIT_MS = 50;
const PAGES_BETWEEN_CHECKPOINTS = 500;

/** A name in a folder is durable only when the folder is. */
const syncFolder = (file: string): void => {
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};

const keepFromOthers = (file: string): void => {
  for (const part of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(part)) chmodSync(part, OWNER_ONLY);
};

/** Makes the file before SQLite does, since that would let others read it. */
const opened = (file: string): Database.Database => {
  if (!existsSync(file)) closeSync(openSync(file, 'a', OWNER_ONLY));
  return new Database(file, { timeout: WAIT_AT_OPENING_MS });
};

/** Opens the file of a spool for writing, makes it where it is not there, and sees that what is in it can be built on. */
export const openSpoolFile = (file: string): E.Either<SpoolOpenError, SpoolFile> => {
  let database: Database.Database;
  try {
    database = opened(file);
  } catch (error) {
    return E.left(spoolOpenFailure(error, file));
  }
  try {
    // The journal mode is written into the file, so whose file it is comes first.
    const prepared = prepareSpoolSchema(database, file);
    if (E.isLeft(prepared)) {
      database.close();
      return prepared;
    }
    keepFromOthers(file);
    const mode = String(database.pragma('journal_mode = WAL', { simple: true }));
    if (mode !== 'wal') {
      throw new Error(`its file system keeps no write-ahead log (journal mode ${mode})`);
    }
    database.pragma('synchronous = FULL');
    database.pragma(`wal_autocheckpoint = ${PAGES_BETWEEN_CHECKPOINTS}`);
    // A commit that failed before may look whole in the system's cache and be gone from the disk: copied into the file
    // and synced, it is either (facts/webhooks.md, Durability).
    database.pragma('wal_checkpoint(TRUNCATE)');
    // Each time, since the one who made it may have ended before this.
    syncFolder(file);
    database.pragma(`busy_timeout = ${WAIT_MS}`);
    return E.right(new SpoolFile(database));
  } catch (error) {
    database.close();
    return E.left(spoolOpenFailure(error, file));
  }
};
