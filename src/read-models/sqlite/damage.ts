import Database from 'better-sqlite3';

/** Whether a file is no database, or one whose pages don't fit together: what it held comes from the log again. */
export const isDamage = (error: unknown): error is Error =>
  error instanceof Database.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code);
