import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { syncFolderOf, writeDurably } from '../durable-writes.ts';
import { movedAway, type HeldFile } from '../kept-place.ts';
import { orphanLog } from '../orphan-log.ts';
import { leadsToNothing } from '../place-of-file.ts';
import { secondName, spoolAlone } from '../second-name.ts';
import { keepBrokenLog } from './kept-broken-log.ts';
import { SpoolFile } from './spool-file.ts';
import {
  spoolElsewhere,
  spoolMoved,
  spoolOpenError,
  spoolOpenFailure,
  spoolWithoutFile,
  type SpoolOpenError,
} from './spool-open-error.ts';
import { isEmptySpool, prepareSpoolSchema } from './spool-schema.ts';

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
const opened = (file: string, known: HeldFile | null): Database.Database => {
  if (known === null && !existsSync(file)) closeSync(openSync(file, 'a', OWNER_ONLY));
  return new Database(file, { timeout: WAIT_AT_OPENING_MS, fileMustExist: true });
};

/** Why what was opened is not the spool that is known; null where it is. One that was opened before has its tables. */
const strange = (database: Database.Database, known: HeldFile): string | null =>
  movedAway(known) ?? (isEmptySpool(database) ? `${known.path} was overwritten or cut while it was in use` : null);

/**
 * Opens the file of a spool for writing, and sees that what is in it can be built on.
 *
 * @param known the file that this ledger had open before, which holds what it promised: another one is refused, and none is
 * made. Null: it is made where it is not there.
 */
export const openSpoolFile = (
  file: string,
  locks: readonly HeldFile[] = [],
  known: HeldFile | null = null,
): E.Either<SpoolOpenError, SpoolFile> => {
  const moved = known === null ? null : movedAway(known);
  if (moved !== null) return E.left(spoolMoved(moved));
  const orphan = orphanLog(file);
  if (orphan !== null) return E.left(spoolWithoutFile(file, orphan));
  let database: Database.Database;
  let broken: string | null;
  try {
    const target = leadsToNothing(file);
    if (target !== null) return E.left(spoolElsewhere(file, target));
    const second = secondName(file, spoolAlone(file));
    if (second !== null) return E.left(spoolOpenError('SpoolShared', second.detail, second.cure));
    // Where it was open before, its log is what this process has written, or a look at it says that it is not.
    broken = known === null ? keepBrokenLog(file) : null;
    database = opened(file, known);
  } catch (error) {
    return E.left(spoolOpenFailure(error, file));
  }
  try {
    // It may have been exchanged until it was open.
    const other = known === null ? null : strange(database, known);
    if (other !== null) {
      database.close();
      return E.left(spoolMoved(other));
    }
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
    return E.right(new SpoolFile(database, locks, broken));
  } catch (error) {
    database.close();
    return E.left(spoolOpenFailure(error, file));
  }
};
