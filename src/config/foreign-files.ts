import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { WRITABLE_FOR_OTHERS, type OpenToOthers } from './open-to-others.ts';
import { isOwnDataFile } from './own-data-files.ts';

const ROOT = 0;

/**
 * Files of other names than the ledger's own in its data directory, an export say, that somebody other than its user and root can
 * change. They are told, and are no reason not to start: the ledger reads none of them, but for what a variable names, which is
 * judged under that name.
 *
 * @param uid of the ledger's user; null on systems that have none
 */
export const foreignOpen = (dataDir: string, uid: number | null): readonly OpenToOthers[] => {
  if (uid === null || statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(dataDir)
    .map((name) => join(dataDir, name))
    .filter((path) => !isOwnDataFile(dataDir, path))
    .flatMap((path) => {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats?.isFile() !== true) return [];
      if ((stats.mode & WRITABLE_FOR_OTHERS) === 0 && (stats.uid === uid || stats.uid === ROOT)) return [];
      const detail = `${path} is no file of the ledger's, and others can write to it`;
      return [
        { path, detail, cure: `move it out of the data directory, or chown it to the ledger's user and chmod go-w it` },
      ];
    });
};
