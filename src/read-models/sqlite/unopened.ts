import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { areDescriptorsUsedUp, MORE_DESCRIPTORS } from '../../files/used-up-descriptors.ts';

/** Whose a file is, where that is another user than the one that this process runs as. */
const whose = (file: string): string | null => {
  const uid = process.geteuid?.();
  const owner = statSync(file, { throwIfNoEntry: false })?.uid;
  return uid === undefined || owner === undefined || owner === uid
    ? null
    : `it belongs to another user (uid ${owner}, the ledger runs as ${uid}): chown it to the user that the ledger runs as, or run ramp-ledger replay, which puts another in its place`;
};

/** What opening a file of the read models ended with, with its name and what to do: of one that it can't open SQLite says neither. */
export const unopened = (error: unknown, file: string): unknown => {
  if (!(error instanceof Database.SqliteError) || !/^SQLITE_(?:CANTOPEN|PERM|AUTH)/.test(error.code)) return error;
  if (areDescriptorsUsedUp())
    return new Error(`${file} can't be opened: too many files are open; ${MORE_DESCRIPTORS}`, { cause: error });
  const cure = whose(file) ?? 'see that the user that the ledger runs as can read and write it';
  return new Error(`${file} can't be opened (${error.message}); ${cure}`, { cause: error });
};
