import { existsSync, realpathSync, statSync, type BigIntStats } from 'node:fs';

const looked = (file: string): BigIntStats | undefined => statSync(file, { bigint: true, throwIfNoEntry: false });

/**
 * Looks at an open database and its write-ahead log: what they are now under their names is held to what they were. SQLite
 * goes on in files that were removed, moved or exchanged, where nobody finds what is committed, and over one that was
 * overwritten or cut in place, whose pages it then writes among those of two histories. It never looks at any of this. The
 * file of such a database only grows, so that an older copy of it, or the rest of it, is known by being smaller.
 *
 * @returns asked after each commit: why nothing may be acknowledged any more; null where both are what they were
 */
export const keptPlace = (file: string): (() => string | null) => {
  // The log lies beside the file that a link leads to.
  const log = `${existsSync(file) ? realpathSync(file) : file}-wal`;
  const kept = [file, log].flatMap((path) => {
    const inode = looked(path)?.ino;
    return inode === undefined ? [] : [{ path, inode }];
  });
  let size = looked(file)?.size ?? 0n;
  return () => {
    for (const { path, inode } of kept) {
      const now = looked(path);
      if (now?.ino !== inode) return `${path} was removed, moved or exchanged while it was in use`;
      if (path !== file) continue;
      if (now.size < size)
        return `${path} was overwritten or cut while it was in use: it has ${now.size} bytes of ${size}`;
      size = now.size;
    }
    return null;
  };
};
