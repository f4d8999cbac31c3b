import { readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Trouble } from '../domain/trouble.ts';
import { isMountPoint, readMountInfo } from './mount-points.ts';

/** A database that is reached by another name too, and what to do about it. */
export type SecondName = Trouble & { readonly cure: string };

/** What `restore --set-aside` keeps a store under, behind the store's own name (`src/composition/commands/restore.ts`). */
const SET_ASIDE = /^\.set-aside-[0-9a-f]+$/;

const isSame = (path: string, device: number, inode: number): boolean => {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.dev === device && stats.ino === inode;
};

/** A restore that was cut off before its rename has left the store under both names, which loses nothing. */
const namesSetAside = (file: string, device: number, inode: number): number => {
  const [folder, name] = [dirname(file), basename(file)];
  return readdirSync(folder).filter(
    (other) =>
      other.startsWith(name) && SET_ASIDE.test(other.slice(name.length)) && isSame(join(folder, other), device, inode),
  ).length;
};

const MOUNT_THE_FOLDER =
  'stop every ledger on it and mount the folder that holds it, not the file alone: its write-ahead log and its lock stand beside it';

/**
 * Whether a database's file has more names than its own: hard links of it, but for those that a cut-off `restore --set-aside`
 * leaves, or the one that it is mounted from where it is a mount of its own. A program that opens it by another name keeps
 * another write-ahead log and other locks, and both spoil the file (the SQLite documentation, How To Corrupt, 2.2.2). Null: it
 * has one name, or is not there.
 *
 * @param cure how it becomes a file of its own again, with what its write-ahead log holds
 * @param mountInfo what this process sees mounted
 */
export const secondName = (file: string, cure: string, mountInfo = readMountInfo): SecondName | null => {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile()) return null;
  if (isMountPoint(realpathSync(file), mountInfo())) {
    const detail = `${file} is mounted by itself: what opens it where it is mounted from spoils it for both`;
    return { detail, cure: MOUNT_THE_FOLDER };
  }
  if (stats.nlink < 2) return null;
  const names = stats.nlink - namesSetAside(realpathSync(file), stats.dev, stats.ino);
  return names < 2
    ? null
    : { detail: `${file} has ${names} names (hard links): what opens it by another one spoils it for both`, cure };
};

/** Events are copied with what stands in their log, and put back as a file that nobody else has a name of. */
export const EVENTS_ALONE =
  'stop every ledger on it; "ramp-ledger backup --out copy.db" and "ramp-ledger restore copy.db --set-aside" make it a file of its own';

/** SQLite's shell takes the log into the spool before it is copied. */
export const spoolAlone = (file: string): string =>
  `stop every ledger on it; sqlite3 ${file} "PRAGMA wal_checkpoint(TRUNCATE)", cp -p ${file} ${file}.own and mv ${file}.own ${file} make it a file of its own`;

/** Read models follow from the log. */
export const readModelsAlone = (file: string): string =>
  `stop every ledger on it and rm ${file}*: the read models are built anew from the log`;
