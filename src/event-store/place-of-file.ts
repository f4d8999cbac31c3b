import { existsSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Where a file is, or would be made, behind the links that its path goes through: one may lead to where there is none yet. What
 * can't be looked at is left as it was named; who opens it says why.
 */
export const placeOfFile = (file: string): string => {
  try {
    return existsSync(file) ? realpathSync(file) : resolve(dirname(file), readlinkSync(file));
  } catch {
    return file;
  }
};
