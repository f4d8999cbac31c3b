import { readFileSync, statSync, type Stats } from 'node:fs';
import { UnusableFile } from './unusable-file.ts';

/** What is wrong with what is at a path, and what to do about it. */
export type OtherThanFile = { readonly path: string; readonly detail: string; readonly cure: string };

/**
 * What nobody may open in the place of a file: who opens a pipe waits for its other end, for ever, and no thread that waits so can be
 * ended; a device may have no end. Null for anything else, and where nothing is there. Throws where it can't be looked at.
 *
 * @param stats of what is there, where that is known
 */
export const pipeOrDevice = (
  path: string,
  stats: Stats | undefined = statSync(path, { throwIfNoEntry: false }),
): OtherThanFile | null => {
  if (stats?.isFIFO() !== true && stats?.isBlockDevice() !== true && stats?.isCharacterDevice() !== true) return null;
  // Others stand in the way of a device that is moved: `/dev/null` is everybody's.
  const cure = stats.isFIFO() ? `move ${path} away` : `name another file than ${path}`;
  return { path, detail: `${path} is a pipe or a device, and no file`, cure };
};

/** Throws `UnusableFile` where a file that is about to be opened is a pipe or a device, and what the system says where it can't be looked at. */
export const refusePipe = (path: string): void => {
  const found = pipeOrDevice(path);
  if (found !== null) throw new UnusableFile(found.detail, found.cure);
};

/** The text of a small file of the ledger's own. Throws where it is none, also where it is a folder or a socket, or can't be read. */
export const readOwnFile = (path: string): string => {
  refusePipe(path);
  const stats = statSync(path);
  if (!stats.isFile()) {
    const what = stats.isDirectory() ? 'folder' : 'socket';
    throw new UnusableFile(`${path} is a ${what}, and the ledger keeps a file there`, `move ${path} away`);
  }
  return readFileSync(path, 'utf8');
};
