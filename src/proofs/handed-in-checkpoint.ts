import * as E from 'fp-ts/lib/Either.js';
import { logVerifiers, parseCheckpoint, type Checkpoint, type LogIdentity } from './checkpoint.ts';
import { checkpointFailure, type CheckpointFailure } from './hold-to-checkpoints.ts';
import type { AcceptedLoss } from './files/accepted-losses.ts';
import { checkNote, parseNote, type NoteVerifier } from './signed-note.ts';

/** Reads a checkpoint that somebody kept, and sees that this log has signed it: with the key of now, or one before it. */
export const handedInCheckpoint = (
  written: string,
  identity: LogIdentity,
  losses: readonly AcceptedLoss[],
  formerKeys: readonly NoteVerifier[],
): E.Either<CheckpointFailure, Checkpoint> => {
  const note = parseNote(written);
  const checkpoint = note === null ? null : parseCheckpoint(note.text);
  if (note === null || checkpoint === null) {
    return E.left(checkpointFailure('checkpoint-unreadable', 'the file holds no signed checkpoint'));
  }
  if (checkpoint.origin !== identity.origin) {
    const ended = losses.find(({ from }) => from === checkpoint.origin);
    const why = ended === undefined ? '' : `; that log lost events, which was accepted at ${ended.at}: ${ended.note}`;
    const detail = `it is a checkpoint of ${checkpoint.origin}, and this log is ${identity.origin}${why}`;
    return E.left(checkpointFailure('checkpoint-not-of-this-log', detail));
  }
  const verifiers = [...logVerifiers(identity), ...formerKeys.filter(({ name }) => name === identity.origin)];
  const checked = verifiers.map((verifier) => checkNote(note, verifier));
  if (checked.some(E.isRight)) return E.right(checkpoint);
  const detail = checked.every((one) => E.isLeft(one) && one.left === 'signature-missing')
    ? "this ledger's key has not signed it"
    : 'its signature is not of this text';
  return E.left(checkpointFailure('checkpoint-not-of-this-log', detail));
};
