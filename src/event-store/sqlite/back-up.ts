import { closeSync, fsyncSync, openSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import type { Position } from '../../domain/ids.ts';
import { positionAt } from '../../domain/position.ts';
import { syncFolderOf } from '../durable-writes.ts';
import { openReader } from './open-database.ts';
import type { OpenError } from './open-error.ts';
import { checkInert, checkSchema, checkWhole, openFailure } from './schema.ts';

/** What a file with a whole ledger holds; `position` is that of its last event, null where it has none. */
export type StoreContent = { readonly events: number; readonly position: Position | null; readonly bytes: number };

/** Pages that are copied between two looks at the progress: 16 MiB. */
const PAGES_AT_ONCE = 2_048;
const MEBIBYTE = 1_048_576;

const synced = (file: string): void => {
  const handle = openSync(file, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  syncFolderOf(file);
};

const contentOf = (database: Database.Database, file: string): StoreContent => {
  const events = database.prepare<[], number>('SELECT count(*) FROM events').pluck().get() ?? 0;
  const last = database.prepare<[], number | null>('SELECT max(position) FROM events').pluck().get() ?? null;
  return { events, position: last === null ? null : positionAt(last), bytes: statSync(file).size };
};

/**
 * Looks through a file that is to be a ledger's event store by itself: its pages fit together, its schema is known. What
 * may stand beside it as a write-ahead log is taken into it, and it is on the disk when this returns.
 */
const examineWhole = (file: string): E.Either<OpenError, StoreContent> => {
  let database: Database.Database | null = null;
  try {
    const opened = new Database(file, { fileMustExist: true });
    database = opened;
    const whole = E.flatMap(() => checkWhole(opened, file, Number.POSITIVE_INFINITY))(checkSchema(opened, file));
    if (E.isLeft(whole)) return whole;
    opened.pragma('journal_mode = DELETE');
    const content = contentOf(opened, file);
    synced(file);
    return E.right(content);
  } catch (error) {
    return E.left(openFailure(error, file));
  } finally {
    database?.close();
  }
};

/** Looks through a file of whoever made it: what acts by itself in it is refused too. */
export const examineForeign = (file: string): E.Either<OpenError, StoreContent> => {
  let database: Database.Database | null = null;
  try {
    database = new Database(file, { fileMustExist: true });
    const inert = checkInert(database, file);
    if (E.isLeft(inert)) return inert;
  } catch (error) {
    return E.left(openFailure(error, file));
  } finally {
    database?.close();
  }
  return examineWhole(file);
};

/**
 * Copies an event store as it is at one moment into a file of its own, while a ledger serves from it: one read
 * transaction holds the moment, and writers go on beside it.
 *
 * @param file the store
 * @param draft where the copy is made; must not be there yet
 * @param onProgress told the share that is done, 0 to 1, and how many MiB
 */
export const backUp = async (
  file: string,
  draft: string,
  onProgress: (share: number, mebibytes: number) => void,
): Promise<E.Either<OpenError, StoreContent>> => {
  const opened = openReader(file);
  if (E.isLeft(opened)) return opened;
  const source = opened.right;
  const pageBytes = Number(source.pragma('page_size', { simple: true }));
  try {
    source.exec('BEGIN');
    // The moment is that of the first look.
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    // For its owner only, as all that holds personal data.
    closeSync(openSync(draft, 'wx', 0o600));
    await source.backup(draft, {
      progress: ({ totalPages, remainingPages }) => {
        const done = totalPages - remainingPages;
        onProgress(done / Math.max(1, totalPages), (done * pageBytes) / MEBIBYTE);
        return PAGES_AT_ONCE;
      },
    });
  } catch (error) {
    return E.left(openFailure(error, draft));
  } finally {
    source.close();
  }
  return examineWhole(draft);
};
