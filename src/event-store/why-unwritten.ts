import { randomUUID } from 'node:crypto';
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Why a file could not be written to. `read-only`: its file system is so now, as the system makes it where a disk fails. `unknown`: the
 * disk failed in another way, and may take the next write all the same.
 */
export type WhyUnwritten = 'no room' | 'read-only' | 'unknown';

/** Of the system's codes those that say so: quotas and limits of one file too. */
const REASONS: ReadonlyMap<unknown, WhyUnwritten> = new Map([
  ['ENOSPC', 'no room'],
  ['EDQUOT', 'no room'],
  ['EFBIG', 'no room'],
  ['EROFS', 'read-only'],
]);

/** What one try to write says: as much as most batches have. */
const TRIED = Buffer.alloc(1_048_576);

const reasonOf = (error: unknown): WhyUnwritten =>
  (error instanceof Error && 'code' in error ? REASONS.get(error.code) : undefined) ?? 'unknown';

/**
 * Whether the file system of a file is read-only now. Nothing is written; a file that is not there is not looked at. Who closes a
 * file lets go of all locks that the process has on it: not for one that SQLite locks, as it does none of its write-ahead logs.
 */
export const isReadOnly = (file: string): boolean => {
  try {
    closeSync(openSync(file, 'r+'));
    return false;
  } catch (error) {
    return reasonOf(error) === 'read-only';
  }
};

/** What can't be closed or removed on such a disk stays, and says nothing more of it. */
const letGo = (handle: number, file: string): void => {
  try {
    closeSync(handle);
    rmSync(file, { force: true });
  } catch {
    // The try to write said what there is to say.
  }
};

const tryToWrite = (handle: number, from: number): void => {
  let written = 0;
  while (written < TRIED.length) {
    written += writeSync(handle, TRIED, written, TRIED.length - written, from + written);
  }
};

/**
 * Why a file could not be written to just now, for which SQLite has one code: tries it with a file beside it that is as long, and
 * removed at once.
 */
export const whyUnwritten = (file: string): WhyUnwritten => {
  const trial = join(dirname(file), `.trial-${randomUUID()}`);
  let handle: number | null = null;
  try {
    handle = openSync(trial, 'wx', 0o600);
    tryToWrite(handle, statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    return 'unknown';
  } catch (error) {
    return reasonOf(error);
  } finally {
    if (handle !== null) letGo(handle, trial);
  }
};
