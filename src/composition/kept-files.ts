import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { StatementFiles } from '../queries/statements/statement-files.ts';

const synced = async (path: string): Promise<void> => {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
};

const written = async (path: string, bytes: Uint8Array): Promise<void> => {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
};

/** Where a data directory has bank files. */
export const bankFilesIn = (dataDir: string): string => join(dataDir, 'statements');

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
    const draft = `${path}.${process.pid}.draft`;
    try {
      if (existsSync(path) && Buffer.compare(bytes, await readFile(path)) === 0) return E.right(undefined);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await written(draft, bytes);
      await rename(draft, path);
      await synced(folder);
      return E.right(undefined);
    } catch (error) {
      // Where it could not be made there is nothing to remove, and the first error says why.
      await rm(draft, { force: true }).catch(() => undefined);
      const detail = error instanceof Error ? error.message : String(error);
      return E.left({ _tag: 'FileFailed', detail: `the file could not be kept: ${detail}` });
    }
  };
