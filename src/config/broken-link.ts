import { existsSync, lstatSync, readlinkSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** A link, and where it leads, which is not there. */
export type BrokenLink = { readonly link: string; readonly target: string };

/**
 * A folder or file that is not there since it, or a folder above it, is a link to nothing: a disk that is not mounted, say. Nothing
 * can be made under such a name, and what the system says of it is "file exists". Throws where it can't be looked at.
 *
 * @returns null where it is there, or could be made
 */
export const brokenLink = (path: string): BrokenLink | null => {
  if (existsSync(path)) return null;
  const above = dirname(path);
  if (!existsSync(above)) return brokenLink(above);
  // A file in the way: who makes the folder says why it can't be.
  if (!statSync(above).isDirectory()) return null;
  const link = lstatSync(path, { throwIfNoEntry: false });
  return link?.isSymbolicLink() === true ? { link: path, target: resolve(above, readlinkSync(path)) } : null;
};
