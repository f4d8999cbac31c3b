import Database from 'better-sqlite3';

/**
 * Whether an error is that a disk had no room, for a file of the read models or for the index of a write-ahead log (`-shm`),
 * which whoever only reads needs too: the file itself is well, and to make it anew would need more.
 */
export const hasNoRoom = (error: unknown): boolean =>
  error instanceof Database.SqliteError && /^SQLITE_(?:FULL|IOERR_SHM(?:SIZE|OPEN|MAP))/.test(error.code);
