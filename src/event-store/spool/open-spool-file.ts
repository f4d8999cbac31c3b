import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { syncFolderOf, writeDurably } from '../durable-writes.ts';
import type { HeldFile } from '../kept-place.ts';
import { orphanLog } from '../orphan-log.ts';
import { secondName, spoolAlone } from '../second-name.ts';
import { SpoolFile } from './spool-file.ts';
import { spoolOpenError, spoolOpenFailure, spoolWithoutFile, type SpoolOpenError } from './spool-open-error.ts';
import { prepareSpoolSchema } from './spool-schema.ts';

/** Bodies hold personal data. SQLite gives the files beside the spool the mode that the spool has. */
const OWNER_ONLY = 0o600;
/** Another process that just reads may be taking in the log of a spool that was killed. */
const WAIT_AT_OPENING_MS = 1_000;
/** All that is to be written waits meanwhile. */
const WAIT_MS = 50;
const PAGES_BETWEEN_CHECKPOINTS = 500;

const keepFromOthers = (file: string): void => {
  for (const part of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(part)) chmodSync(part, OWNER_ONLY);
};

/** Makes the file before SQLite does, since that would let others read it. */
const opened = (file: string): Database.Database => {
  if (!existsSync(file)) closeSync(openSync(file, 'a', OWNER_ONLY));
  return new Database(file, { timeout: WAIT_AT_OPENING_MS });
};

/** Opens the file of a spool for writing, makes it where it is not there, and sees that what is in it can be built on. */
export const openSpoolFile = (file: string, locks: readonly HeldFile[] = []): E.Either<SpoolOpenError, SpoolFile> => {
  const orphan = orphanLog(file);
  if (orphan !== null) return E.left(spoolWithoutFile(file, orphan));
  let database: Database.Database;
  try {
    const second = secondName(file, spoolAlone(file));
    if (second !== null) return E.left(spoolOpenError('SpoolShared', second.detail, second.cure));
    database = opened(file);
  } catch (error) {
    return E.left(spoolOpenFailure(error, file));
  }
  try {
    const prepared = prepareSpoolSchema(database, file);
    if (E.isLeft(prepared)) {
      database.close();
      return prepared;
    }
    keepFromOthers(file);
    writeDurably(database, PAGES_BETWEEN_CHECKPOINTS);
    // Each time, since the one who made it may have ended before this.
    syncFolderOf(file);
    database.pragma(`busy_timeout = ${WAIT_MS}`);
    return E.right(new SpoolFile(database, locks));
  } catch (error) {
    database.close();
    return E.left(spoolOpenFailure(error, file));
  }
};
