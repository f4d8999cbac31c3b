import Database from 'better-sqlite3';
import { openReadOnly } from '../../sql/open-read-only.ts';

/** How a ledger is known in a file of read models: which ledger it is, and which log it follows. Neither tells a secret. */
export type LedgerName = { readonly ledger: string; readonly log: string };

/** Nobody has one of these files for long. */
const BUSY_MS = 2_000;

/** One row: who has served from the file last. */
const SERVER = `CREATE TABLE IF NOT EXISTS server (id INTEGER PRIMARY KEY CHECK (id = 1), ledger TEXT NOT NULL, log TEXT NOT NULL) STRICT;`;

/** One row: to whose log the generation that serves was held last. */
const HELD = `CREATE TABLE IF NOT EXISTS held (generation INTEGER PRIMARY KEY, ledger TEXT NOT NULL, log TEXT NOT NULL) STRICT;`;

/** Whether two names are of one ledger on one log; a name that is not known is nobody's. */
export const isSameName = (one: LedgerName | null, other: LedgerName | null): boolean =>
  one !== null && other !== null && one.ledger === other.ledger && one.log === other.log;

/** Leaves the name of the ledger that serves from a file; null: of none. Throws where the file can't be used. */
export const nameServer = (file: string, name: LedgerName | null): void => {
  const database = new Database(file, { fileMustExist: true, timeout: BUSY_MS });
  try {
    database
      .transaction(() => {
        database.exec(`${SERVER} DELETE FROM server;`);
        if (name !== null) database.prepare<LedgerName>('INSERT INTO server VALUES (1, @ledger, @log)').run(name);
      })
      .immediate();
  } finally {
    database.close();
  }
};

/**
 * The name that the ledger which served from a file last has left in it; null where none did, or it can't be read. Nothing is
 * made or changed.
 */
export const serverNamedIn = (file: string): LedgerName | null => {
  let database: Database.Database | null = null;
  try {
    database = openReadOnly(file, BUSY_MS);
    return database.prepare<[], LedgerName>('SELECT ledger, log FROM server').get() ?? null;
  } catch {
    return null;
  } finally {
    database?.close();
  }
};

/** Notes whose log a generation is of; null: nobody's who is known. To be called in a transaction. */
export const noteHeld = (database: Database.Database, generation: number, name: LedgerName | null): void => {
  database.exec(`${HELD} DELETE FROM held;`);
  if (name === null) return;
  database.prepare<[number, LedgerName]>('INSERT INTO held VALUES (?, @ledger, @log)').run(generation, name);
};

/** Whose log the generation that serves is of; null where that was not noted of this very one, or can't be read. */
export const heldIn = (database: Database.Database): LedgerName | null => {
  try {
    return (
      database.prepare<[], LedgerName>('SELECT ledger, log FROM held JOIN serving USING (generation)').get() ?? null
    );
  } catch {
    return null;
  }
};
