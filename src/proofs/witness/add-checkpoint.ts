import type { Instant } from '../../domain/instant.ts';
import type { Hash } from '../merkle-tree.ts';
import { parseNote, parseSignatures, type Note, type NoteSignature, type NoteVerifier } from '../signed-note.ts';
import { cosignedAt } from './cosignature.ts';
import { soMany } from '../../domain/so-many.ts';

/** A witness that is asked to cosign. `url`: below which `add-checkpoint` is (C2SP tlog-witness, submission prefix). */
export type Witness = { readonly verifier: NoteVerifier; readonly line: string; readonly url: string };

/** What a witness is asked: the size that it knows, the proof from there, and the checkpoint (C2SP tlog-witness). */
export const addCheckpointBody = (old: number, proof: readonly Hash[], note: string): string =>
  [`old ${old}`, ...proof.map((hash) => hash.toString('base64')), '', note].join('\n');

/** Where a witness is asked. */
export const addCheckpointUrl = ({ url }: Witness): string => `${url.endsWith('/') ? url : `${url}/`}add-checkpoint`;

/** What a witness answered. */
export type WitnessAnswer = { readonly status: number; readonly body: string };

/** What an answer comes to. */
export type WitnessVerdict =
  | { readonly _tag: 'Cosigned'; readonly signature: NoteSignature; readonly at: Instant }
  /** It knows the log at another size. */
  | { readonly _tag: 'Knows'; readonly size: number }
  /** It saw another tree. */
  | { readonly _tag: 'Refused'; readonly detail: string }
  | { readonly _tag: 'Failed'; readonly detail: string };

const failed = (detail: string): WitnessVerdict => ({ _tag: 'Failed', detail });

const cosignedBy = (note: string, { verifier }: Witness, body: string): WitnessVerdict => {
  const [own, lines] = [parseNote(note), parseSignatures(body)];
  if (own === null || lines === null) return failed('it answered no signature');
  const cosigned: Note = { text: own.text, signatures: lines };
  const at = cosignedAt(cosigned, verifier);
  const signature = lines.find(({ name, keyId }) => name === verifier.name && keyId.equals(verifier.keyId));
  return at === null || signature === undefined
    ? failed('it answered no cosignature that its key verifies')
    : { _tag: 'Cosigned', signature, at };
};

/**
 * Reads what a witness answered to a checkpoint of a size that was offered with a proof from an older one. It refuses where
 * it saw a larger tree, or one of the same size with another root, or one that is not the beginning of this. Every log begins
 * with the tree of no events: a witness that saw no other has nothing to refuse for.
 */
export const readAnswer = (
  witness: Witness,
  { note, size, old }: { readonly note: string; readonly size: number; readonly old: number },
  { status, body }: WitnessAnswer,
): WitnessVerdict => {
  if (status === 200) return cosignedBy(note, witness, body);
  if (status === 422 && old > 0) {
    return {
      _tag: 'Refused',
      detail: `the tree of ${soMany(old, 'event')} that it saw is not the beginning of this log`,
    };
  }
  if (status === 403) return failed('it answered 403: it knows none of the keys that sign this log');
  if (status === 404) return failed('it answered 404: it does not know this log');
  if (status !== 409) return failed(`it answered ${status}`);
  const known = /^(\d{1,15})\n?$/.exec(body)?.[1];
  // A witness names the size that it knows where it is another than the one it was told, and need not where the roots differ.
  if (known === undefined && old < size) return failed('it answered 409 without the size that it knows');
  const seen = known === undefined ? size : Number(known);
  if (seen > size)
    return { _tag: 'Refused', detail: `it saw a log of ${soMany(seen, 'event')}, and this one has ${size}` };
  if (seen !== old) return { _tag: 'Knows', size: seen };
  return seen === size && size > 0
    ? { _tag: 'Refused', detail: `it saw another log of ${soMany(seen, 'event')}` }
    : failed(`it answered 409, and knows the log at the ${soMany(seen, 'event')} that it was told`);
};
