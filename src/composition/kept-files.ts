import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { errorCode } from '../config/error-code.ts';
import { isSha256 } from '../domain/ids.ts';
import { sha256 } from '../domain/sha256.ts';
import type { StatementFiles } from '../queries/statements/statement-files.ts';
import { damagedFile, type DamagedFile } from '../statements/damaged-file.ts';

const synced = async (path: string): Promise<void> => {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
};

const written = async (path: string, bytes: Uint8Array): Promise<void> => {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
};

/** Where a data directory has bank files. */
export const bankFilesIn = (dataDir: string): string => join(dataDir, 'statements');

const DRAFT = /\.draft$/;

/** A ledger that starts takes a draft away that is written just then; so many starts in a row are none. */
const MOST_DRAFTS = 3;

/** Whether the draft was still there to be given its name. */
const hasName = async (draft: string, path: string): Promise<boolean> => {
  try {
    await rename(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
};

/** Puts a file in its place, whole and on the disk. A draft that was taken away meanwhile is written once more. */
const put = async (path: string, bytes: Uint8Array): Promise<void> => {
  for (let drafts = 1; ; drafts += 1) {
    const draft = `${path}.${randomBytes(8).toString('hex')}.draft`;
    try {
      await written(draft, bytes);
      if (await hasName(draft, path)) return;
      if (drafts === MOST_DRAFTS) throw new Error(`${draft} was removed while it was written`);
    } catch (error) {
      // Where it could not be made there is nothing to remove, and the first error says why.
      await rm(draft, { force: true }).catch(() => undefined);
      throw error;
    }
  }
};

/**
 * Removes the drafts of bank files that killed processes have left, which have the personal data of the file in them. Whoever
 * writes one just now, a command beside the start say, writes it once more.
 *
 * @returns how many there were; Left: why they can't be removed, in a few words
 */
export const removeLeftDrafts = async (dataDir: string): Promise<E.Either<string, number>> => {
  const folder = bankFilesIn(dataDir);
  try {
    const drafts = existsSync(folder) ? (await readdir(folder)).filter((name) => DRAFT.test(name)) : [];
    for (const draft of drafts) await rm(join(folder, draft), { force: true });
    return E.right(drafts.length);
  } catch (error) {
    return E.left(`${folder}: ${errorCode(error)}`);
  }
};

const howDamaged = async (path: string, digest: string): Promise<string | null> => {
  try {
    return sha256(await readFile(path)) === digest ? null : 'its bytes are not those that its name is the SHA-256 of';
  } catch (error) {
    return `it can't be read: ${errorCode(error)}`;
  }
};

/**
 * The bank files of a data directory that are not what was imported, each read whole, one at a time. One that is no longer there
 * is none of them: its lines stand in the log with the text that each came as.
 *
 * @throws where the folder can't be read
 */
export const damagedFiles = async (dataDir: string): Promise<readonly DamagedFile[]> => {
  const folder = bankFilesIn(dataDir);
  const digests = existsSync(folder) ? (await readdir(folder)).filter(isSha256).toSorted() : [];
  const damaged: DamagedFile[] = [];
  for (const digest of digests) {
    const how = await howDamaged(join(folder, digest), digest);
    if (how !== null) {
      damaged.push(
        damagedFile(digest, `statements/${digest}: ${how}; put it back from a backup, or import the file again`),
      );
    }
  }
  return damaged;
};

/**
 * Keeps bank files in the folder `statements` of the data directory, each once under its digest, for its owner only; one
 * that is there and damaged is replaced. Nothing
 * waits for the disk meanwhile: deliveries come in in the same thread.
 */
export const keptFiles =
  (dataDir: string): StatementFiles['keep'] =>
  (statementId, bytes) =>
  async () => {
    const folder = bankFilesIn(dataDir);
    const path = join(folder, statementId);
    try {
      if (existsSync(path) && Buffer.compare(bytes, await readFile(path)) === 0) return E.right(undefined);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await put(path, bytes);
      await synced(folder);
      return E.right(undefined);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return E.left({ _tag: 'FileFailed', detail: `the file could not be kept: ${detail}` });
    }
  };
