import { createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readOwnFile } from '../../files/own-file.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { sha256 } from '../../domain/sha256.ts';
import type { LogIdentity } from '../checkpoint.ts';
import { durablyNamed } from './durably.ts';

const fileOf = (dataDir: string): string => join(dataDir, 'begun-here');

/** What is noted of a name, or of the public half of a key: a digest, so that the file says nothing to anybody. */
const nameMark = (origin: string): string => sha256(`name ${origin}`);
const keyMark = (key: KeyObject): string =>
  sha256(`key ${createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64')}`);

const note = (dataDir: string, marks: readonly string[]): void => {
  makeFolder(dataDir);
  // A line that was cut off is ended by the first of these.
  durablyNamed(dataDir, fileOf(dataDir), (handle) => {
    writeSync(handle, `\n${marks.join('\n')}\n`);
  });
};

/** Notes, before it is kept anywhere, that a name was made here: nothing was signed under it. Throws where the disk fails. */
export const noteNameBegun = (dataDir: string, origin: string): void => note(dataDir, [nameMark(origin)]);

/** Notes, before it is kept anywhere, that a key was made here: it has signed nothing. Throws where the disk fails. */
export const noteKeyBegun = (dataDir: string, key: KeyObject): void => note(dataDir, [keyMark(key)]);

/** Notes that a log without any event begins under a name and a key, wherever these are from. Throws where the disk fails. */
export const noteLogBegun = (dataDir: string, { origin, signingKey }: LogIdentity): void =>
  note(dataDir, [nameMark(origin), keyMark(signingKey)]);

/**
 * Whether all that a key may have signed under a name was signed in this data directory: one of the two was made here, or the
 * log began here with both, and nothing was signed since that was noted. Throws where the disk fails.
 */
export const isBegunHere = (dataDir: string, { origin, signingKey }: LogIdentity): boolean => {
  const file = fileOf(dataDir);
  if (!existsSync(file)) return false;
  const marks = new Set(readOwnFile(file).split('\n'));
  return marks.has(nameMark(origin)) || marks.has(keyMark(signingKey));
};

/** From the first checkpoint on, what was signed says so itself: a note that stayed would vouch for a log whose past is gone. */
export const endBegun = (dataDir: string): void => rmSync(fileOf(dataDir), { force: true });
