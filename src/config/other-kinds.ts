import { readdirSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { brokenLink } from './broken-link.ts';
import type { OpenToOthers } from './open-to-others.ts';
import { isOfDatabase, isOwnDataFile, OWN_FOLDERS } from './own-data-files.ts';

/** What stands where the ledger keeps something of another kind, and what to do about it. */
export type OtherKind = OpenToOthers & {
  /** Whether no ledger can start with it there. */
  readonly refuses: boolean;
};

/** What a start can't do without, beside the event store: its socket, its lock, and what waits for a store that is away. */
const NEEDED = /^(?:ledger\.(?:sock|lock)|spool\.db)(?:-(?:wal|shm|journal))?$/;
const SOCKET = 'ledger.sock';
const SPOOL = 'spool.db';
const TREE = 'log-tree';
const OF_TREE = /^(?:positions|hashes-\d+)$/;

/** What is there in the words of a person, if it is of another kind; pipes and devices have words of their own (open-to-others.ts). */
const otherThan = (wanted: 'folder' | 'file' | 'socket', stats: Stats): string | null => {
  if (stats.isFIFO() || stats.isBlockDevice() || stats.isCharacterDevice()) return null;
  if (wanted === 'folder') return stats.isDirectory() ? null : 'is no folder, and the ledger keeps one there';
  if (stats.isDirectory()) return `is a folder, and the ledger keeps a ${wanted} there`;
  return wanted === 'file' && stats.isSocket() ? 'is a socket, and the ledger keeps a file there' : null;
};

/** A link to nothing: what it led to may be all that there is, on a disk that is not mounted, say. A socket is made anew by each start. */
const linkToNothing = (path: string, refuses: boolean): readonly OtherKind[] => {
  // Of the spool's own file its check says so.
  const broken = basename(path) === SPOOL ? null : brokenLink(path);
  if (broken === null) return [];
  const detail = `${path} is a link to ${broken.target}, which is not there`;
  const cure = 'mount or bring back what it leads to';
  return [{ path, detail, cure, refuses: refuses && basename(path) !== SOCKET }];
};

const judged = (path: string, wanted: 'folder' | 'file' | 'socket', refuses: boolean): readonly OtherKind[] => {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return linkToNothing(path, refuses);
  const found = otherThan(wanted, stats);
  return found === null ? [] : [{ path, detail: `${path} ${found}`, cure: `move ${path} away`, refuses }];
};

const namesIn = (folder: string): readonly string[] =>
  statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(folder) : [];

const ofTree = (dataDir: string): readonly OtherKind[] => {
  const folder = join(dataDir, TREE);
  return namesIn(folder)
    .filter((name) => OF_TREE.test(name))
    .flatMap((name) => judged(join(folder, name), 'file', false));
};

const wantedOf = (name: string): 'folder' | 'file' | 'socket' =>
  OWN_FOLDERS.has(name) ? 'folder' : name === SOCKET ? 'socket' : 'file';

/**
 * What in a data directory has one of the ledger's own names and is of another kind than it keeps there: a folder for a file, a file
 * for a folder, a socket for a file, a link that leads nowhere. What stands at the very names of databases is judged with these (misplaced-databases.ts).
 *
 * @param databases the files of the configured ones, in the data directory or not: their logs and locks are looked at too
 * @param events that of the events; null where they are in a server
 */
export const otherKinds = (
  dataDir: string,
  databases: readonly string[],
  events: string | null,
): readonly OtherKind[] => {
  const isBesideEvents = (path: string): boolean => events !== null && isOfDatabase(events, path);
  const own = namesIn(dataDir)
    .map((name) => join(dataDir, name))
    .filter((path) => isOwnDataFile(dataDir, path));
  const beside = databases.flatMap((file) =>
    namesIn(dirname(file))
      .map((name) => join(dirname(file), name))
      .filter((path) => isOfDatabase(file, path)),
  );
  return [...new Set([...own, ...beside])]
    .filter((path) => !databases.includes(path))
    .flatMap((path) => judged(path, wantedOf(basename(path)), NEEDED.test(basename(path)) || isBesideEvents(path)))
    .concat(ofTree(dataDir));
};
