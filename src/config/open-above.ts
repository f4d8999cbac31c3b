import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { hasOthers, machineUsers, type MachineUsers } from '../files/group-members.ts';
import { stepsTo, type Step } from '../files/steps-to.ts';
import type { OpenToOthers } from './open-to-others.ts';
import { isOwnDataFile } from './own-data-files.ts';

/** Who may exchange what is on the way to something: everybody, those of a group, or another user. */
type Exchanger = { readonly _tag: 'All' } | { readonly _tag: 'Group'; readonly gid: number } | Stranger;

type Stranger = { readonly _tag: 'Stranger'; readonly uid: number };

/** A folder on the way to something, or a link in a shared one, that somebody else may exchange. */
export type OpenAbove = OpenToOthers & { readonly by: Exchanger };

/** What a look at the way to something needs to know of the machine. */
export type Onlooker = {
  /** Of the ledger's user; null on systems that have none. */
  readonly uid: number | null;
  /** What is at a path itself, its link if it is one; null where nothing is, or it can't be looked at. */
  readonly look: (path: string) => Pick<Stats, 'uid' | 'gid' | 'mode'> | null;
  readonly users: () => MachineUsers;
};

const ROOT = 0;
const WRITABLE_FOR_ALL = 0o002;
const WRITABLE_FOR_GROUP = 0o020;
/** In such a folder, `/tmp` say, only its owner takes away what is somebody else's. */
const STICKY = 0o1000;

const look = (path: string): Stats | null => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
};

/** How this process looks, for the ledger of a user. */
export const onlooker = (uid: number | null = process.getuid?.() ?? null): Onlooker => ({
  uid,
  look,
  users: machineUsers,
});

/** Root may exchange anything anyway. */
const stranger = (owner: number, uid: number): Stranger | null =>
  owner === ROOT || owner === uid ? null : { _tag: 'Stranger', uid: owner };

/** Who may exchange what is in a folder, and how that is ended; null: nobody but root and the ledger's user. */
const inFolder = ({ folder, entry }: Step, what: string, uid: number, by: Onlooker): OpenAbove | null => {
  const stats = by.look(folder);
  if (stats === null) return null;
  const owner = stranger(stats.uid, uid);
  if (owner !== null) {
    return {
      path: folder,
      detail: `${folder}, where ${what} is, belongs to another user (uid ${owner.uid}), who may exchange what is in it`,
      cure: `chown ${folder} to root or the ledger's user`,
      by: owner,
    };
  }
  if ((stats.mode & STICKY) !== 0) {
    const other = stranger(by.look(entry)?.uid ?? uid, uid);
    return other === null
      ? null
      : {
          path: entry,
          detail: `${entry}, by which ${what} is reached, belongs to another user (uid ${other.uid}), who may exchange it`,
          cure: `chown -h ${entry} to the ledger's user`,
          by: other,
        };
  }
  if ((stats.mode & WRITABLE_FOR_ALL) !== 0) {
    return {
      path: folder,
      detail: `everybody on this machine may exchange what is in ${folder}, where ${what} is`,
      cure: `chmod o-w ${folder}`,
      by: { _tag: 'All' },
    };
  }
  if ((stats.mode & WRITABLE_FOR_GROUP) === 0 || !hasOthers(stats.gid, uid, by.users())) return null;
  return {
    path: folder,
    detail: `others in its group (gid ${stats.gid}) may exchange what is in ${folder}, where ${what} is`,
    cure: `chmod g-w ${folder}`,
    by: { _tag: 'Group', gid: stats.gid },
  };
};

/**
 * The nearest folder above the data directory, a database or a secret's file, or on the way to it through links, in which somebody
 * other than root and the ledger's user may exchange it; null: there is none. It is told and refuses no start: volumes of containers and
 * folders of hosts in them are such, where nobody else is. What is exchanged there while the ledger serves is not the ledger's, and
 * counts for nothing (reloadSecrets).
 *
 * @param what it is, for the detail
 */
export const openAbove = (path: string, what = 'the data directory', by: Onlooker = onlooker()): OpenAbove | null => {
  const { uid } = by;
  if (uid === null) return null;
  return stepsTo(path).reduceRight<OpenAbove | null>((found, step) => found ?? inFolder(step, what, uid, by), null);
};

/** Links of the ledger's own names in its data directory. */
const linksIn = (dataDir: string): readonly string[] => {
  try {
    return readdirSync(dataDir, { withFileTypes: true })
      .filter((entry) => entry.isSymbolicLink())
      .map(({ name }) => join(dataDir, name))
      .filter((path) => isOwnDataFile(dataDir, path))
      .toSorted();
  } catch {
    // What can't be looked at is told by who looks at the data directory itself.
    return [];
  }
};

/** The same of the data directory, and of what links in it lead to; each once. */
export const openAboveData = (dataDir: string, by: Onlooker = onlooker()): readonly OpenAbove[] => {
  const links = linksIn(dataDir).map((path) => openAbove(path, `what ${path} leads to`, by));
  const found = [openAbove(dataDir, 'the data directory', by), ...links].filter((open) => open !== null);
  return found.filter(({ path }, at) => found.findIndex((other) => other.path === path) === at);
};
