import * as E from 'fp-ts/lib/Either.js';
import { soMany } from '../domain/so-many.ts';
import type { KeptCheckpoint } from './files/kept-checkpoints.ts';
import { checkpointFailure, type CheckpointFailure } from './hold-to-checkpoints.ts';
import { checkNote, parseNote, type NoteVerifier } from './signed-note.ts';

/** Whether a key of this log should have signed a checkpoint as it is kept, and none has: it was changed on the disk. */
const isSpoiled = ({ note, origin }: KeptCheckpoint, keys: readonly NoteVerifier[]): boolean => {
  const parsed = parseNote(note);
  if (parsed === null) return true;
  const checked = keys.filter(({ name }) => name === origin).map((key) => checkNote(parsed, key));
  return !checked.some(E.isRight) && checked.some((one) => E.isLeft(one) && one.left === 'signature-wrong');
};

/**
 * Tells checkpoints that were kept as they were signed from those that were changed since, which nothing is to be held to. One
 * that none of the keys has a signature of is taken as it is: its key may be missing.
 */
export const withoutSpoiled = (
  kept: readonly KeptCheckpoint[],
  keys: readonly NoteVerifier[],
): { readonly whole: readonly KeptCheckpoint[]; readonly failures: readonly CheckpointFailure[] } => {
  const spoiled = kept.filter((one) => isSpoiled(one, keys));
  const [first] = spoiled;
  if (first === undefined) return { whole: kept, failures: [] };
  const detail = `${soMany(spoiled.length, 'kept checkpoint')} can't be what was signed, the first of ${soMany(first.size, 'event')} and ${first.signedAt}: its signature is not of its text; put the file checkpoints-… of the data directory back from a backup`;
  return {
    whole: kept.filter((one) => !spoiled.includes(one)),
    failures: [checkpointFailure('checkpoint-not-of-this-log', detail)],
  };
};
