import Database from 'better-sqlite3';

/** SQLite's extended result code (`SQLITE_IOERR_FSYNC`), or an empty text for what is no error of SQLite. */
export const sqliteCode = (error: unknown): string => (error instanceof Database.SqliteError ? error.code : '');

/** Whether a disk had no room, for a file, or for the index of a write-ahead log (`-shm`), which whoever only reads needs too. */
export const isNoRoom = (error: unknown): boolean =>
  /^SQLITE_(?:FULL|IOERR_SHM(?:SIZE|OPEN|MAP))/.test(sqliteCode(error));

/** Whether a file is no database, or one whose pages don't fit together: no later try helps. */
export const isDamage = (error: unknown): boolean => /^SQLITE_(?:NOTADB|CORRUPT)/.test(sqliteCode(error));
