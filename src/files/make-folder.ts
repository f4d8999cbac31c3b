import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/**
 * Makes a folder, and those above it that are missing, for their owner only (mode 0700). Throws what the system says.
 *
 * They are made one by one: Node's own `recursive` never ends where the system says "no such file" of a folder whose parent is
 * there, as it does under /proc.
 */
export const makeFolder = (folder: string): void => {
  const above = dirname(folder);
  if (!existsSync(above)) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been first.
    if (!isFolder(folder)) throw error;
  }
};
