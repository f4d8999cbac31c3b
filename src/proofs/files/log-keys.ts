import { existsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readOwnFile } from '../../files/own-file.ts';
import type { LogIdentity } from '../checkpoint.ts';
import { parseVerifierLine, verifierLine, type NoteVerifier } from '../signed-note.ts';
import { originNow } from './accepted-losses.ts';
import { durablyNamed } from './durably.ts';

const fileOf = (dataDir: string): string => join(dataDir, 'log-keys');

/**
 * The keys that have signed in this data directory, that of now last, by the name that the log had then: what an earlier one
 * has signed can be verified for ever. A line that is cut off was never signed with. Throws where the disk fails.
 */
export const readLogKeys = (dataDir: string): readonly NoteVerifier[] => {
  const file = fileOf(dataDir);
  if (!existsSync(file)) return [];
  const lines = readOwnFile(file).split('\n');
  // One that signed again, behind others, is there again.
  return lines.flatMap((line, i) => (lines.lastIndexOf(line) === i ? (parseVerifierLine(line) ?? []) : []));
};

/**
 * What a log is called: as those know who have the key that signs, and for others as the newest key that has signed in this
 * data directory, or as the log that began where a loss was accepted since. Null where nothing was signed. Throws where the
 * disk fails.
 */
export const nameOfLog = (dataDir: string, identity: LogIdentity | null): string | null => {
  if (identity !== null) return identity.origin;
  const signed = readLogKeys(dataDir).at(-1);
  return signed === undefined ? null : originNow(dataDir, signed.name);
};

/**
 * Keeps keys, as far as they are not kept already; the last of them, which signs now, is then the last of all: a name may be
 * changed, and changed back. Durable when this returns. Throws where the disk fails.
 */
export const keepLogKeys = (dataDir: string, keys: readonly NoteVerifier[]): void => {
  const kept = readLogKeys(dataDir).map(verifierLine);
  const [all, last] = [keys.map(verifierLine), kept.at(-1)];
  const lines = all.filter((line, i) => !kept.includes(line) || (i === all.length - 1 && line !== last));
  if (lines.length === 0) return;
  // A line that was cut off is ended by the first of these.
  durablyNamed(dataDir, fileOf(dataDir), (handle) => {
    writeSync(handle, `\n${lines.join('\n')}\n`);
  });
};
