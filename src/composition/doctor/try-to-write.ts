import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '../../config/index.ts';

/** A folder in which no file can be made now, and the code of the system's answer. */
export type Unwritable = { readonly folder: string; readonly code: string };

const tryIn = (folder: string): Unwritable | null => {
  const file = join(folder, `.doctor-${randomUUID()}`);
  try {
    closeSync(openSync(file, 'wx', 0o600));
    rmSync(file);
    return null;
  } catch (error) {
    return { folder, code: error instanceof Error && 'code' in error ? String(error.code) : 'unknown error' };
  }
};

/**
 * Makes an empty file in each folder that a ledger writes to and is there, and removes it: a disk that the kernel has made
 * read-only may still say, asked for permissions, that it can be written to.
 *
 * @returns the first that refuses; null: none does
 */
export const tryToWrite = ({ dataDir, eventStore, readModel }: Config): Unwritable | null => {
  const folders = [
    dataDir,
    ...(eventStore.kind === 'sqlite' ? [dirname(eventStore.file)] : []),
    dirname(readModel.file),
  ];
  for (const folder of new Set(folders)) {
    // With a slash behind it nothing but a folder is there: another check says of a file in its place that it is none.
    const refused = existsSync(`${folder}/`) ? tryIn(folder) : null;
    if (refused !== null) return refused;
  }
  return null;
};
