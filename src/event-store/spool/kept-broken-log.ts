import { chmodSync, constants, copyFileSync, existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { brokenLog } from './broken-log.ts';
import { syncFolderOf } from '../durable-writes.ts';
import { placeOfFile } from '../place-of-file.ts';

/** Behind the name of a spool: its write-ahead log that was broken, by the time at which it was written last. */
const KEPT = '-wal.broken-';

const OWNER_ONLY = 0o600;

/** Of a file name: without `:`, which some file systems don't take. */
const written = (log: string): string => statSync(log).mtime.toISOString().replaceAll(/[-:]/g, '');

/** The write-ahead logs of a spool that were kept since something in their midst was not what was written. */
export const keptBrokenLogs = (file: string): readonly string[] => {
  const place = placeOfFile(file);
  const folder = dirname(place);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.startsWith(`${basename(place)}${KEPT}`))
    .map((name) => join(folder, name));
};

/**
 * Keeps a copy of the write-ahead log of a spool where something in its midst is not what was written: SQLite takes nothing
 * from there on, and writes over it. To be called before it opens the file.
 *
 * @returns what was found, for operators; null where the log is whole or not there
 * @throws what the disk ends it with: nothing is opened then
 */
export const keepBrokenLog = (file: string): string | null => {
  const broken = brokenLog(file);
  if (broken === null) return null;
  const { log, page, commits } = broken;
  const kept = `${placeOfFile(file)}${KEPT}${written(log)}`;
  if (!existsSync(kept)) {
    copyFileSync(log, kept, constants.COPYFILE_EXCL);
    chmodSync(kept, OWNER_ONLY);
    syncFolderOf(kept);
  }
  const where = page === 0 ? 'the header' : `page ${page}`;
  const behind = page === 0 ? 'nothing of it is taken' : `${commits} commits behind it are not taken`;
  return `${where} of ${log} is not what was written, and ${behind}; it is kept as ${kept}`;
};
