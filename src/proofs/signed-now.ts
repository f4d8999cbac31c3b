import { signedCheckpoint, type LogIdentity } from './checkpoint.ts';
import type { KeptCheckpoint } from './files/kept-checkpoints.ts';
import { noteText, parseNote, type NoteSignature } from './signed-note.ts';

const isBySameKey = (signature: NoteSignature, { name, keyId }: NoteSignature): boolean =>
  name === signature.name && keyId.equals(signature.keyId);

/** To the byte: a key gives a text the same signature each time, and one that was changed on the disk is none. */
const isAmong = (signature: NoteSignature, others: readonly NoteSignature[]): boolean =>
  others.some((other) => isBySameKey(signature, other) && other.bytes.equals(signature.bytes));

/**
 * A checkpoint with the signatures of the keys of now, that of the newest one first. What other keys and witnesses have
 * signed stays behind them. One that has them already is the answer itself; one of theirs that is not of its text is made anew.
 */
export const signedNow = (kept: KeptCheckpoint, identity: LogIdentity): KeptCheckpoint => {
  const note = parseNote(kept.note);
  const own = parseNote(signedCheckpoint(identity, kept.size, kept.root))?.signatures ?? [];
  if (note === null) return kept;
  const isFirst = own.slice(0, 1).every((signature) => isAmong(signature, note.signatures.slice(0, 1)));
  if (isFirst && own.every((signature) => isAmong(signature, note.signatures))) return kept;
  const others = note.signatures.filter((signature) => !own.some((its) => isBySameKey(its, signature)));
  return { ...kept, note: noteText({ ...note, signatures: [...own, ...others] }) };
};
