import { basename } from 'node:path';
import { parseNote } from '../signed-note.ts';
import { checkpointsFile, readCheckpoints, type KeptCheckpoint } from './kept-checkpoints.ts';
import { readLogKeys } from './log-keys.ts';

/**
 * Why checkpoints that a log has signed are no longer in a data directory, and what to do; null where nothing says that they
 * should be. A key is kept there only once a checkpoint that it signed is durable. Held to none, the log could lose events and
 * nobody would hear of it. Throws where the disk fails.
 */
export const goneCheckpoints = (dataDir: string, origin: string): string | null => {
  const hasSigned = readLogKeys(dataDir).some(({ name }) => name === origin);
  if (!hasSigned || readCheckpoints(dataDir, origin).length > 0) return null;
  const file = basename(checkpointsFile(dataDir, origin));
  return `${origin} has signed checkpoints, and its file ${file} in the data directory is empty or was removed: stop the ledger, put that file back from a backup, and start`;
};

/**
 * The keys, by their ids in hexadecimal digits, that signed checkpoints of a log and are not among those that are kept. A
 * former key is nowhere else. Throws where the disk fails.
 */
export const goneKeys = (
  dataDir: string,
  origin: string,
  checkpoints: readonly Pick<KeptCheckpoint, 'note'>[],
): readonly string[] => {
  const kept = new Set(
    readLogKeys(dataDir)
      .filter(({ name }) => name === origin)
      .map(({ keyId }) => keyId.toString('hex')),
  );
  const signed = checkpoints.flatMap(({ note }) => parseNote(note)?.signatures ?? []);
  const ids = signed.filter(({ name }) => name === origin).map(({ keyId }) => keyId.toString('hex'));
  return [...new Set(ids)].filter((id) => !kept.has(id));
};
