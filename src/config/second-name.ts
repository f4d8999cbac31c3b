import { statSync } from 'node:fs';

/** A database that is reached by another name too, and what to do about it. */
export type SecondName = { readonly detail: string; readonly cure: string };

/**
 * Whether a database's file has more names than the one that is configured, hard links of it: a program that opens it by
 * another one keeps another write-ahead log, and both spoil the file (the SQLite documentation, How To Corrupt, 2.2.2).
 * Backups may be made of such links, so it is told of and refused nowhere. Null: it has one name, or is not there.
 */
export const secondName = (file: string): SecondName | null => {
  const names = statSync(file, { throwIfNoEntry: false })?.nlink ?? 1;
  return names < 2
    ? null
    : {
        detail: `${file} has ${names} names (hard links): what opens it by another one spoils it for both`,
        cure: `copy ${file} with ramp-ledger backup, and link to it nowhere`,
      };
};
