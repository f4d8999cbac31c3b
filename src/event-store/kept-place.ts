import { existsSync, realpathSync, statSync, type BigIntStats } from 'node:fs';
import { LogHeader } from './log-header.ts';

/** A file that is open under a name, and which file that is. */
export type HeldFile = { readonly path: string; readonly inode: bigint };

/**
 * What is under a name now; undefined: nothing. Null: it can't be looked at for now, since a folder above it can't be passed or
 * the file system does not answer. That says nothing of the file, which is open, and nothing is given up for it.
 */
const looked = (file: string): BigIntStats | null | undefined => {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false });
  } catch {
    return null;
  }
};

/** Whether another file is under the name of one that is held, or none. */
const isGone = ({ path, inode }: HeldFile): boolean => {
  const now = looked(path);
  return now !== null && now?.ino !== inode;
};

const movedWords = (path: string): string => `${path} was removed, moved or exchanged while it was in use`;

/** In which words another file, or none, is under the name of one that is in use; null where it is there, or can't be looked at now. */
export const movedAway = (file: HeldFile): string | null => (isGone(file) ? movedWords(file.path) : null);

/** The file that is under a name now; null where there is none. */
export const held = (path: string): HeldFile | null => {
  const inode = looked(path)?.ino;
  return inode === undefined ? null : { path, inode };
};

/** Why a lock keeps out nobody any more: one that is taken under its name is of another file. Null where it does. */
export const lockLost = (locks: readonly HeldFile[]): string | null => {
  const lost = locks.find(isGone);
  return lost === undefined
    ? null
    : `${lost.path} was removed or exchanged while it was held: another ledger may serve the same files; stop all of them, and start one`;
};

/**
 * Looks at an open database, its write-ahead log and the index of that, which processes have in common: what they are now
 * under their names is held to what they were. SQLite goes on in files that were removed, moved or exchanged, where nobody
 * finds what is committed, and over ones that were overwritten or cut in place, whose pages it then writes among those of two
 * histories. Where the index (`-shm`) is another one, each process takes itself for alone, and folds the log in under the
 * other. SQLite never looks at any of this. The file of such a database only grows, so that an older copy of it, or the rest
 * of it, is known by being smaller.
 *
 * @param locks those by which nobody else writes to it
 * @returns asked after each commit: why nothing may be acknowledged any more; null where all are what they were
 */
export const keptPlace = (file: string, locks: readonly HeldFile[] = []): (() => string | null) => {
  // The log and its index lie beside the file that a link leads to.
  const place = existsSync(file) ? realpathSync(file) : file;
  const kept = [file, `${place}-wal`, `${place}-shm`].flatMap((path) => held(path) ?? []);
  let size = looked(file)?.size ?? 0n;
  const log = new LogHeader(`${place}-wal`);
  return () => {
    for (const { path, inode } of kept) {
      const now = looked(path);
      if (now === null) continue;
      if (now?.ino !== inode) return movedWords(path);
      if (path !== file) continue;
      if (now.size < size)
        return `${path} was overwritten or cut while it was in use: it has ${now.size} bytes of ${size}`;
      size = now.size;
    }
    return log.damage() ?? lockLost(locks);
  };
};
