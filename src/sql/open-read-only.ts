import Database from 'better-sqlite3';
import { refusePipe } from '../files/own-file.ts';

/**
 * Opens a database that is there for reading alone. Throws SQLite's error, and what is wrong with it where it is a pipe or a device:
 * SQLite would stand there for ever.
 *
 * @param timeout how long it waits for a lock, in ms; better-sqlite3's own where nothing is said
 */
export const openReadOnly = (file: string, timeout?: number): Database.Database => {
  refusePipe(file);
  return new Database(file, { readonly: true, fileMustExist: true, ...(timeout === undefined ? {} : { timeout }) });
};
