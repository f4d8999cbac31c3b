import { errorCode } from '../config/error-code.ts';

const WORDS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'it is not there'],
  ['EACCES', 'the user that runs this may not'],
  ['EPERM', 'the user that runs this may not'],
  ['EROFS', 'its disk is read-only'],
  ['EISDIR', 'it is a folder'],
  ['ENOTDIR', 'what its path leads through is no folder'],
  ['ENOSPC', 'the disk is full'],
  ['ENAMETOOLONG', 'its name is too long'],
  ['ELOOP', 'links lead around in a circle'],
]);

const inWords = (error: unknown, words: ReadonlyMap<string, string>): string => {
  const message = error instanceof Error ? error.message : String(error);
  const code = errorCode(error);
  const said = words.get(code);
  return said === undefined ? message : `${said}, ${code}`;
};

/** Why a file can't be read, in one line for whoever named it: `it is not there, ENOENT`. */
export const readingTrouble = (error: unknown): string => inWords(error, WORDS);

/** Why a file can't be written; what is not there is then the folder that it should be put into. */
export const writingTrouble = (error: unknown): string =>
  inWords(error, new Map([...WORDS, ['ENOENT', 'its folder is not there']]));
