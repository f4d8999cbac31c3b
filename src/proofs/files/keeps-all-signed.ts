import { existsSync } from 'node:fs';
import { readCheckpoints, type KeptCheckpoint } from './kept-checkpoints.ts';
import { namesOfLog } from './names-of-log.ts';
import { TreeFiles } from './tree-files.ts';
import { treeFolder } from './tree-folder.ts';

/** Whether the tree of the log, which nobody copies with checkpoints, holds one. What can't be read holds nothing. */
const isInTree = (dataDir: string, { size, root }: KeptCheckpoint): boolean => {
  if (!existsSync(treeFolder(dataDir))) return false;
  try {
    const files = new TreeFiles(treeFolder(dataDir), 'read');
    try {
      return files.holds(size) && files.rootOf(size).equals(root);
    } finally {
      files.close();
    }
  } catch {
    return false;
  }
};

/**
 * Whether a data directory shows that it has whatever was signed of a log behind a backup of so many events: its checkpoints
 * reach beyond the backup, so that the log will be held to them; or they reach as far, and the tree that they were signed of lies
 * beside them, as where they were signed. Copies of checkpoints that were made before a backup show neither. Throws where the
 * disk fails, or a file of checkpoints is damaged.
 */
export const keepsAllSigned = (dataDir: string, events: number): boolean => {
  const newest = namesOfLog(dataDir)
    .flatMap((name) => readCheckpoints(dataDir, name).at(-1) ?? [])
    .toSorted((a, b) => b.size - a.size)[0];
  if (newest === undefined || newest.size < events) return false;
  return newest.size > events || isInTree(dataDir, newest);
};
