import { readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pipeOrDevice } from '../files/own-file.ts';
import { placeOfFile } from '../event-store/place-of-file.ts';
import { isOfDatabase, isOwnDataFile, OWN_FOLDERS } from './own-data-files.ts';

/** A folder or file of the ledger's that somebody else can change, or that is none, and what to do about it. */
export type OpenToOthers = { readonly path: string; readonly detail: string; readonly cure: string };

/** By the mode of a file or folder. */
export const WRITABLE_FOR_OTHERS = 0o022;

const looked = (path: string, uid: number): OpenToOthers | null => {
  // What is gone by now, a journal of the database say, can't be changed by anybody.
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  const other = pipeOrDevice(path, stats);
  if (other !== null) return other;
  if (stats.uid !== uid) {
    return {
      path,
      detail: `${path} belongs to another user (uid ${stats.uid}, the ledger runs as ${uid})`,
      cure: `chown ${path} to the user that the ledger runs as, or run the ledger as its owner`,
    };
  }
  return (stats.mode & WRITABLE_FOR_OTHERS) === 0
    ? null
    : { path, detail: `${path} can be written to by others on this machine`, cure: `chmod go-w ${path}` };
};

/** Which of some folders and files others than the ledger's own user may change; none on systems that have no users. */
export const openAmong = (paths: readonly string[], uid: number | null): readonly OpenToOthers[] =>
  uid === null ? [] : paths.flatMap((path) => looked(path, uid) ?? []);

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** A database and what is beside it for SQLite or the ledger; nothing where its folder is not there. */
const besideDatabase = (file: string): readonly string[] => {
  const folder = dirname(file);
  if (!isFolder(folder)) return [];
  return readdirSync(folder)
    .map((name) => join(folder, name))
    .filter((path) => isOfDatabase(file, path));
};

/** A folder of the ledger's, its files in it, what links in it lead to, and what is inside its own folders in it. */
const inside = (dataDir: string, folder = dataDir): readonly string[] => [
  folder,
  ...readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!isOwnDataFile(dataDir, path)) return [];
    // There may be a hundred thousand files: only what a link leads to has to be asked for.
    if (entry.isSymbolicLink() ? isFolder(path) : entry.isDirectory())
      return OWN_FOLDERS.has(entry.name) ? inside(dataDir, path) : [];
    if (!entry.isSymbolicLink()) return [path];
    const place = placeOfFile(path);
    // What it leads to is looked at under its own name already.
    return [path, ...besideDatabase(place).filter((other) => other !== place)];
  }),
];

/**
 * What others than the ledger's own user may change of its data directory: the folder itself, and the files and folders of the
 * ledger's own names in it. Whoever can write there can exchange secrets, keys and events. What has another name inside it is
 * not the ledger's (`lost+found`, an export: foreign-files.ts), unless a variable names it.
 *
 * @param dataDir absolute; where it is not there yet, nothing can be wrong with it
 * @param uid of the ledger's user; null on systems that have none
 */
export const openToOthers = (dataDir: string, uid: number | null): readonly OpenToOthers[] =>
  uid === null || !isFolder(dataDir) ? [] : openAmong(inside(dataDir), uid);

/**
 * Pipes and devices in the place of a file of the data directory, or of one that belongs to a database: no user has to be known for that.
 *
 * @param databases the files of the configured ones, in the data directory or not
 */
export const pipesInPlace = (dataDir: string, databases: readonly string[]): readonly OpenToOthers[] => {
  const own = isFolder(dataDir) ? inside(dataDir) : [];
  const beside = databases.flatMap((file) => [file, placeOfFile(file)].flatMap(besideDatabase));
  return [...new Set([...own, ...beside])].flatMap((path) => pipeOrDevice(path) ?? []);
};

/** Whether a file is in no way inside of a folder. */
export const isOutside = (folder: string, file: string): boolean => /^\.\.(?:\/|$)/.test(relative(folder, file));

/**
 * What others than the ledger's own user may change of a database that is not in the data directory itself: its file, and those that
 * SQLite and the ledger keep beside it, also behind a link. Its folder may hold what is somebody else's too.
 *
 * @param uid of the ledger's user; null on systems that have none
 */
export const openDatabase = (file: string, uid: number | null): readonly OpenToOthers[] =>
  uid === null ? [] : openAmong([...new Set([file, placeOfFile(file)].flatMap(besideDatabase))], uid);
