import { existsSync, statSync } from 'node:fs';
import { placeOfFile } from './place-of-file.ts';

/** What can't be looked at has no size either: who opens it is told why. */
const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0);

/**
 * A write-ahead log with something in it whose database is not there, or empty: what was committed, and is nowhere else.
 * SQLite takes it away where a database is opened beside it without a page, and plays it into any other that is put there.
 *
 * @returns its path; null where there is none
 */
export const orphanLog = (file: string): string | null => {
  const place = placeOfFile(file);
  const log = `${place}-wal`;
  return sizeOf(place) === 0 && sizeOf(log) > 0 ? log : null;
};
