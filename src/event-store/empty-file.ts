import { existsSync, statSync } from 'node:fs';

/**
 * Whether there is a file without a byte: one that a start was about to make when it was killed, or all that was left of a database.
 * What can't be looked at is none: who opens it is told why.
 */
export const isEmptyFile = (path: string): boolean => {
  if (!existsSync(path)) return false;
  const found = statSync(path);
  return found.isFile() && found.size === 0;
};
