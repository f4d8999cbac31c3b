import * as E from 'fp-ts/lib/Either.js';
import { parseCheckpoint, type Checkpoint } from './checkpoint.ts';
import { copiedNote } from './copied-note.ts';
import { checkpointFailure, type CheckpointFailure } from './hold-to-checkpoints.ts';
import type { AcceptedLoss } from './files/accepted-losses.ts';
import { checkNote, type NoteVerifier } from './signed-note.ts';

/** What a log is known by: its name, its keys, former ones too, and the losses that were accepted. Keys may be of other names. */
type KnownLog = {
  readonly origin: string;
  readonly keys: readonly NoteVerifier[];
  readonly losses: readonly AcceptedLoss[];
};

/** Reads a checkpoint that somebody kept, and sees that this log has signed it: with the key of now, or one before it. */
export const handedInCheckpoint = (
  written: string,
  { origin, keys, losses }: KnownLog,
): E.Either<CheckpointFailure, Checkpoint> => {
  const note = copiedNote(written);
  const checkpoint = note === null ? null : parseCheckpoint(note.text);
  if (note === null || checkpoint === null) {
    return E.left(checkpointFailure('checkpoint-unreadable', 'the file holds no signed checkpoint'));
  }
  if (checkpoint.origin !== origin) {
    const ended = losses.find(({ from }) => from === checkpoint.origin);
    const why = ended === undefined ? '' : `; that log lost events, which was accepted at ${ended.at}: ${ended.note}`;
    const detail = `it is a checkpoint of ${checkpoint.origin}, and this log is ${origin}${why}`;
    return E.left(checkpointFailure('checkpoint-not-of-this-log', detail));
  }
  const checked = keys.filter(({ name }) => name === origin).map((key) => checkNote(note, key));
  if (checked.some(E.isRight)) return E.right(checkpoint);
  const detail = checked.every((one) => E.isLeft(one) && one.left === 'signature-missing')
    ? "this ledger's key has not signed it"
    : 'its signature is not of this text';
  return E.left(checkpointFailure('checkpoint-not-of-this-log', detail));
};
