import { signedCheckpoint, type LogIdentity } from './checkpoint.ts';
import type { KeptCheckpoint } from './files/kept-checkpoints.ts';
import { noteText, parseNote, type NoteSignature } from './signed-note.ts';

const isAmong = (signature: NoteSignature, others: readonly NoteSignature[]): boolean =>
  others.some(({ name, keyId }) => name === signature.name && keyId.equals(signature.keyId));

/**
 * A checkpoint with the signatures of the keys of now, that of the newest one first. What other keys and witnesses have
 * signed stays behind them. One that has them already is the answer itself.
 */
export const signedNow = (kept: KeptCheckpoint, identity: LogIdentity): KeptCheckpoint => {
  const note = parseNote(kept.note);
  const own = parseNote(signedCheckpoint(identity, kept.size, kept.root))?.signatures ?? [];
  if (note === null) return kept;
  const isFirst = own.slice(0, 1).every((signature) => isAmong(signature, note.signatures.slice(0, 1)));
  if (isFirst && own.every((signature) => isAmong(signature, note.signatures))) return kept;
  const others = note.signatures.filter((signature) => !isAmong(signature, own));
  return { ...kept, note: noteText({ ...note, signatures: [...own, ...others] }) };
};
