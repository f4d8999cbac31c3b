import { basename } from 'node:path';
import { logVerifiers, type LogIdentity } from '../checkpoint.ts';
import { parseNote, type NoteVerifier } from '../signed-note.ts';
import { otherHeldNames } from './held-names.ts';
import { checkpointsFile, readCheckpoints, type KeptCheckpoint } from './kept-checkpoints.ts';
import { readLogKeys } from './log-keys.ts';

/** Whether a key of a log is kept, and none of what it signed. A key is kept only once a checkpoint that it signed is durable. */
const isGone = (dataDir: string, name: string): boolean =>
  readLogKeys(dataDir).some((key) => key.name === name) && readCheckpoints(dataDir, name).length === 0;

/** The other names that a log is held to, and whose checkpoints are no longer there. Throws where the disk fails. */
export const otherGoneNames = (dataDir: string, origin: string): readonly string[] =>
  otherHeldNames(dataDir, origin).filter((name) => isGone(dataDir, name));

/**
 * Why checkpoints that a log has signed, under its name of now or another that it is held to, are no longer in a data
 * directory, and what to do; null where nothing says that they should be. Held to none, the log could lose events and nobody
 * would hear of it. Throws where the disk fails.
 */
export const goneCheckpoints = (dataDir: string, origin: string): string | null => {
  const gone = isGone(dataDir, origin) ? origin : otherGoneNames(dataDir, origin)[0];
  if (gone === undefined) return null;
  const file = basename(checkpointsFile(dataDir, gone));
  return `${gone} has signed checkpoints, and its file ${file} in the data directory is empty or was removed: stop the ledger, put that file back from a backup, and start`;
};

/** The keys, by their ids in hexadecimal digits, that signed checkpoints of a log and are not among those that are kept. */
const unkeptKeys = (
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

const idOf = ({ keyId }: NoteVerifier): string => keyId.toString('hex');

/**
 * The former keys, by their ids in hexadecimal digits, that signed checkpoints of a log and are not among those that are kept:
 * they are nowhere else. Those of now are at hand. Throws where the disk fails.
 *
 * @param identity what signs now; null where that is not known here
 */
export const goneKeys = (
  dataDir: string,
  origin: string,
  checkpoints: readonly Pick<KeptCheckpoint, 'note'>[],
  identity: LogIdentity | null,
): readonly string[] => {
  const own = new Set(identity === null ? [] : logVerifiers(identity).map(idOf));
  return unkeptKeys(dataDir, origin, checkpoints).filter((id) => !own.has(id));
};

/**
 * The keys of now that signed checkpoints of a log and are not among those that are kept: whoever signed was ended between the
 * checkpoint and its key. That of now is the last. Throws where the disk fails.
 */
export const unkeptKeysOfNow = (
  dataDir: string,
  identity: LogIdentity,
  checkpoints: readonly Pick<KeptCheckpoint, 'note'>[],
): readonly NoteVerifier[] => {
  const unkept = new Set(unkeptKeys(dataDir, identity.origin, checkpoints));
  return logVerifiers(identity)
    .filter((key) => unkept.has(idOf(key)))
    .toReversed();
};
