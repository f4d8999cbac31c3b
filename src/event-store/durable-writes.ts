import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';

/**
 * Makes what is committed to a database from now on durable, and what is in it already certain. The journal mode is
 * written into the file, so whose file it is must be known before.
 *
 * @param pagesBetweenCheckpoints pages of write-ahead log after which it is copied into the file
 * @throws Error where its file system keeps no write-ahead log, or what is there can't be synced
 */
export const writeDurably = (database: Database.Database, pagesBetweenCheckpoints: number): void => {
  const mode = String(database.pragma('journal_mode = WAL', { simple: true }));
  if (mode !== 'wal') {
    throw new Error(`its file system keeps no write-ahead log (journal mode ${mode})`);
  }
  // A file that was checked before it got its write-ahead log, a backup say, is locked for the checkpoint below until it is read.
  database.prepare('SELECT count(*) FROM sqlite_schema').get();
  database.pragma('synchronous = FULL');
  database.pragma(`wal_autocheckpoint = ${pagesBetweenCheckpoints}`);
  // A commit that failed before the last stop may look whole in the system's cache and be gone from the disk: copied
  // into the file and synced, it is either (docs/spec/receiving.md, Durability).
  database.pragma('wal_checkpoint(TRUNCATE)');
};

/** A name in a folder is durable only when the folder is. */
export const syncFolderOf = (file: string): void => {
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
};
