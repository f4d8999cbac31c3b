import { randomUUID } from 'node:crypto';
import { closeSync, constants, fchownSync, fstatSync, openSync, realpathSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** Whose a file or folder is. */
type Owner = { readonly uid: number; readonly gid: number };

const ROOT = 0;

/** What threads that begin later know, too. */
const UID = 'uid of what is made for the ledger';
const GID = 'gid of what is made for the ledger';
const FOLDER = 'folder of the owner of what is made for the ledger';

/** Whose what this process makes for the ledger is to be; null: its own. */
const ownerOfAll = (): Owner | null => {
  const [uid, gid] = [getEnvironmentData(UID), getEnvironmentData(GID)];
  return typeof uid === 'number' && typeof gid === 'number' ? { uid, gid } : null;
};

const setOwner = (owner: Owner | null, folder?: string): void => {
  setEnvironmentData(UID, owner?.uid);
  setEnvironmentData(GID, owner?.gid);
  setEnvironmentData(FOLDER, folder);
};

const giveTo = ({ uid, gid }: Owner, handle: number): void => {
  // Some file systems say themselves whose all of their files are.
  if (fstatSync(handle).uid !== uid) fchownSync(handle, uid, gid);
};

/** Gives an open file, which this process has just made for the ledger, to its owner. Throws where the system doesn't let it. */
export const giveToOwner = (handle: number): void => {
  const owner = ownerOfAll();
  if (owner !== null) giveTo(owner, handle);
};

/** Whether a file is in a folder, or in one below it, as the machine has them. */
const isBelow = (folder: string, file: string): boolean =>
  !/^\.\.(?:\/|$)/.test(relative(realpathSync(folder), realpathSync(dirname(file))));

/**
 * Gives an open file, which this process has just made where somebody asked for it, to the owner of the data directory if it is in
 * there, or below: what is root's in it, its owner could not read. Elsewhere it stays this process's own. Throws where the system
 * doesn't let it.
 */
export const giveWithinFolder = (handle: number, file: string): void => {
  const [owner, folder] = [ownerOfAll(), getEnvironmentData(FOLDER)];
  if (owner !== null && typeof folder === 'string' && isBelow(folder, file)) giveTo(owner, handle);
};

const isThere = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

/** Opens a file that is new, or throws EEXIST; it is gone again where it can't be given to its owner. */
const openNew = (file: string, flags: number, of: Owner): number => {
  const handle = openSync(file, flags | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    giveTo(of, handle);
    return handle;
  } catch (error) {
    closeSync(handle);
    rmSync(file, { force: true });
    throw error;
  }
};

/**
 * Opens a file of the ledger's for its owner only (mode 0600), made where it is not there. One that was there stays whose it is: it
 * may have another name, and be somebody else's. Throws what the system says.
 *
 * @param flags of `node:fs`, as numbers
 */
export const openForOwner = (file: string, flags: number): number => {
  const owner = ownerOfAll();
  if (owner === null) return openSync(file, flags | constants.O_CREAT, 0o600);
  try {
    return openNew(file, flags, owner);
  } catch (error) {
    if ((flags & constants.O_EXCL) !== 0 || !isThere(error)) throw error;
    return openSync(file, flags);
  }
};

/**
 * Makes an empty file where there is none and it would be another's than the ledger's, before SQLite does: what that then puts
 * beside a file belongs to whom the file does. Throws what the system says.
 */
export const makeForOwner = (file: string): void => {
  const owner = ownerOfAll();
  if (owner === null) return;
  try {
    closeSync(openNew(file, constants.O_WRONLY, owner));
  } catch (error) {
    if (!isThere(error)) throw error;
  }
};

/** Gives a folder of the ledger's, which this process has just made, to its owner. Throws where the system doesn't let it. */
export const giveFolderToOwner = (folder: string): void => {
  const owner = ownerOfAll();
  if (owner === null) return;
  // What somebody put in its place meanwhile is not given away.
  const handle = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    if (fstatSync(handle).uid === ROOT) giveTo(owner, handle);
  } finally {
    closeSync(handle);
  }
};

/** Whether root may give files away: not without that capability, nor on a file system that refuses it. */
const canGive = (to: Owner, folder: string): boolean => {
  const trial = join(folder, `.trial-${randomUUID()}`);
  try {
    closeSync(openNew(trial, constants.O_WRONLY, to));
    rmSync(trial);
    return true;
  } catch (error) {
    // Whatever else keeps files from being made is met, and said, by who makes them.
    return !(error instanceof Error && 'syscall' in error && error.syscall === 'fchown');
  }
};

/**
 * Has this process make what it makes for a ledger the property of whoever the data directory belongs to, as whom the ledger
 * serves: what root left there as its own, that user could neither read nor write. To be called before anything is made.
 *
 * @returns why it can't be so, for somebody else than root say: nothing may be made then; null: it is so
 */
export const workForOwner = (dataDir: string): string | null => {
  setOwner(null);
  const uid = process.geteuid?.();
  const there = statSync(dataDir, { throwIfNoEntry: false });
  if (uid === undefined || there === undefined || there.uid === uid) return null;
  const to = { uid: there.uid, gid: there.gid };
  if (uid !== ROOT || !canGive(to, dataDir)) {
    return `${dataDir} belongs to another user (uid ${there.uid}, this command runs as ${uid}), who could not use what it makes there: run it as that user`;
  }
  setOwner(to, dataDir);
  return null;
};
