import Database from 'better-sqlite3';

/** SQLite's extended result code (`SQLITE_IOERR_FSYNC`), or an empty text for what is no error of SQLite. */
export const sqliteCode = (error: unknown): string => (error instanceof Database.SqliteError ? error.code : '');
