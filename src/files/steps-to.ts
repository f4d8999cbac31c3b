import { lstatSync, readlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** A folder that the system passes through on the way to a path, and what it looks for in it. */
export type Step = { readonly folder: string; readonly entry: string };

/** Linux follows no more of them in one path. */
const MOST_LINKS = 40;

const partsOf = (path: string): readonly string[] => path.split('/').filter((part) => part !== '' && part !== '.');

/** Where a link leads; null for what is no link, is not there, or can't be looked at. */
const linkedTo = (path: string): string | null => {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true ? readlinkSync(path) : null;
  } catch {
    return null;
  }
};

/**
 * The steps that the system takes to a path, its links followed one by one: whoever can exchange what is found in one of these
 * folders decides what is at the end. The first is that of the root; folders that are not there are no harm, and are steps too.
 */
export const stepsTo = (path: string): readonly Step[] => {
  const steps: Step[] = [];
  let folder = '/';
  let links = 0;
  let rest = partsOf(resolve(path));
  for (;;) {
    const [part, ...others] = rest;
    if (part === undefined) return steps;
    rest = others;
    if (part === '..') {
      folder = dirname(folder);
      continue;
    }
    const entry = join(folder, part);
    steps.push({ folder, entry });
    const target = links < MOST_LINKS ? linkedTo(entry) : null;
    if (target === null) {
      folder = entry;
      continue;
    }
    links += 1;
    if (target.startsWith('/')) folder = '/';
    rest = [...partsOf(target), ...rest];
  }
};
