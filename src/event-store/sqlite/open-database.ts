import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { openReadOnly } from '../../sql/open-read-only.ts';
import { syncFolderOf, writeDurably } from '../durable-writes.ts';
import { orphanLog } from '../orphan-log.ts';
import { EVENTS_ALONE, secondName } from '../second-name.ts';
import { openError, type OpenError } from './open-error.ts';
import { checkSchema, openFailure, prepareSchema } from './schema.ts';

/**
 * Pages of write-ahead log after which it is copied into the file. Everybody waits meanwhile, so it is done often and in
 * small pieces: 4,000 pages give as many deliveries per second, and twice the waiting time at the 99th percentile.
 */
const PAGES_BETWEEN_CHECKPOINTS = 1_000;
/** The writer touches the end of each table, and neighbouring pages of an index: what else it keeps, the system keeps too. */
const CACHE_KIB = 4_096;

const withoutDatabase = (file: string, log: string): OpenError =>
  openError(
    'StoreUnusable',
    `${file} is not there or empty, and ${log} holds what was committed to it`,
    'put back the file that it belongs to, or restore a backup with --set-aside',
  );

/**
 * Opens a file for writing, makes it where it is not there, and sees that what is in it can be built on. One with another
 * name is refused: the lock that keeps others out is of the name.
 */
export const openDatabase = (file: string): E.Either<OpenError, Database.Database> => {
  const orphan = orphanLog(file);
  if (orphan !== null) return E.left(withoutDatabase(file, orphan));
  const isNew = !existsSync(file);
  let database: Database.Database;
  try {
    const second = secondName(file, EVENTS_ALONE);
    if (second !== null) return E.left(openError('StoreMisplaced', second.detail, second.cure));
    database = new Database(file);
  } catch (error) {
    return E.left(openFailure(error, file));
  }
  try {
    database.pragma('page_size = 4096');
    const prepared = prepareSchema(database, file);
    if (E.isLeft(prepared)) {
      database.close();
      return prepared;
    }
    writeDurably(database, PAGES_BETWEEN_CHECKPOINTS);
    database.pragma(`cache_size = -${CACHE_KIB}`);
    if (isNew) syncFolderOf(file);
    return E.right(database);
  } catch (error) {
    database.close();
    return E.left(openFailure(error, file));
  }
};

/** For reading a stream now and then. */
const SMALL_CACHE_KIB = 4_096;

/** For reading the whole log stream by stream: the events of streams that began together lie within some MB. */
export const LARGE_CACHE_KIB = 16_384;

/** Opens a file for reading beside its writer. */
export const openReader = (file: string, cacheKib = SMALL_CACHE_KIB): E.Either<OpenError, Database.Database> => {
  const orphan = orphanLog(file);
  if (orphan !== null) return E.left(withoutDatabase(file, orphan));
  try {
    const database = openReadOnly(file);
    const readable = checkSchema(database, file);
    database.pragma(`cache_size = -${cacheKib}`);
    if (E.isRight(readable)) return E.right(database);
    database.close();
    return readable;
  } catch (error) {
    return E.left(existsSync(file) ? openFailure(error, file) : openError('StoreUnusable', `${file} is not there`));
  }
};
