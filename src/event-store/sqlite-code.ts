import Database from 'better-sqlite3';

/** SQLite's extended result code (`SQLITE_IOERR_FSYNC`), or an empty text for what is no error of SQLite. */
export const sqliteCode = (error: unknown): string => (error instanceof Database.SqliteError ? error.code : '');

/** Whether a file is no database, or one whose pages don't fit together: no later try helps. */
export const isDamage = (error: unknown): boolean => /^SQLITE_(?:NOTADB|CORRUPT)/.test(sqliteCode(error));
