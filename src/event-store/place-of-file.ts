import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Linux follows no more of them in one path. */
const MOST_LINKS = 40;

/** What can't be looked at is left as it was named; who opens it says why. */
const behindLinks = (named: string, links: number): string => {
  const path = resolve(named);
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(path);
  if (folder === path || links > MOST_LINKS) return path;
  const place = join(behindLinks(folder, links), basename(path));
  const isLink = lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  // As the system does, which knows the folder that the link is in by its own path.
  return isLink ? behindLinks(resolve(dirname(place), readlinkSync(place)), links + 1) : place;
};

/**
 * Where a file is, or would be made, behind all links that its path goes through, whether there is anything at their end or not yet:
 * what belongs to a file lies beside that place, and is found there by whoever comes to it by another path.
 */
export const placeOfFile = (file: string): string => {
  try {
    return behindLinks(file, 0);
  } catch {
    return resolve(file);
  }
};

/**
 * Where a file would be that is a link to nothing, as to one on a disk that is not mounted; null: it is there, or is no link, or
 * can't be looked at, of which who opens it says why.
 */
export const leadsToNothing = (file: string): string | null => {
  try {
    const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return isLink && !existsSync(file) ? placeOfFile(file) : null;
  } catch {
    return null;
  }
};
