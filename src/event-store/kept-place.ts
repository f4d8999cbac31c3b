import { existsSync, realpathSync, statSync } from 'node:fs';

const inodeOf = (file: string): bigint | null => statSync(file, { bigint: true, throwIfNoEntry: false })?.ino ?? null;

/**
 * Looks at an open database and its write-ahead log: what they are now under their names is held to what they were. SQLite
 * goes on in files that were removed, moved or exchanged, where nobody finds what is committed; of a write-ahead log it
 * never looks.
 *
 * @returns asked after each commit: why nothing may be acknowledged any more; null where both are where they were
 */
export const keptPlace = (file: string): (() => string | null) => {
  // The log lies beside the file that a link leads to.
  const log = `${existsSync(file) ? realpathSync(file) : file}-wal`;
  const kept = [file, log].map((path) => [path, inodeOf(path)] as const).filter(([, inode]) => inode !== null);
  return () => {
    const gone = kept.find(([path, inode]) => inodeOf(path) !== inode);
    return gone === undefined ? null : `${gone[0]} was removed, moved or exchanged while it was in use`;
  };
};
