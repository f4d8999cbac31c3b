import { existsSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** What can't be looked at has no size either: who opens it is told why. */
const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0);

/** Where a file is, or would be made: a link may lead to where there is none. */
const placeOf = (file: string): string => {
  try {
    return existsSync(file) ? realpathSync(file) : resolve(dirname(file), readlinkSync(file));
  } catch {
    return file;
  }
};

/**
 * A write-ahead log with something in it whose database is not there, or empty: what was committed, and is nowhere else.
 * SQLite takes it away where a database is opened beside it without a page, and plays it into any other that is put there.
 *
 * @returns its path; null where there is none
 */
export const orphanLog = (file: string): string | null => {
  const place = placeOf(file);
  const log = `${place}-wal`;
  return sizeOf(place) === 0 && sizeOf(log) > 0 ? log : null;
};
