import * as E from 'fp-ts/lib/Either.js';
import { orderStream, type Revision } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import { isConsistent, isIncluded } from '../check-proof.ts';
import { parseCheckpoint, type Checkpoint } from '../checkpoint.ts';
import { leafTextOf } from '../log-leaf.ts';
import { leafHash } from '../merkle-tree.ts';
import {
  checkNote,
  isSameKey,
  parseNote,
  parseVerifierLine,
  verifierLine,
  type Note,
  type NoteVerifier,
} from '../signed-note.ts';
import { cosignedAt } from '../witness/cosignature.ts';
import type { Evidence, EvidenceEvent } from './evidence.ts';
import { evidenceProblem, type EvidenceProblem } from './open-evidence.ts';

/** A signature behind the ledger's own. */
export type CheckedCosignature = {
  readonly name: string;
  /** Whether it is one of the key that the evidence has of this witness; null where it has none. */
  readonly signature: boolean | null;
  /** When the witness cosigned, by its own clock. */
  readonly at: Instant | null;
};

/** What the proofs in evidence show. */
export type CheckedProofs = {
  /** Null where it can't be read. */
  readonly checkpoint:
    | (Checkpoint & { readonly isSigned: boolean; readonly witnesses: readonly CheckedCosignature[] })
    | null;
  /** The revisions whose leaves are in the tree of the checkpoint. */
  readonly included: ReadonlySet<Revision>;
  readonly problems: readonly EvidenceProblem[];
};

const cosignaturesOf = (
  note: Note,
  lines: readonly string[],
  pinned: readonly NoteVerifier[],
): readonly CheckedCosignature[] => {
  const keys = [...pinned, ...lines.flatMap((line) => parseVerifierLine(line, 'cosignature') ?? [])];
  const [own] = note.signatures;
  // All lines but the ledger's own: the first, and behind it that of a key before it, which says nothing more.
  const others = note.signatures.filter(({ name }) => name !== own?.name);
  return others.map((signature) => {
    const key = keys.find((each) => isSameKey(signature, each));
    const at = key === undefined ? null : cosignedAt({ ...note, signatures: [signature] }, key);
    return { name: signature.name, signature: key === undefined ? null : at !== null, at };
  });
};

const signedCheckpointIn = (
  written: string,
  verifier: NoteVerifier | null,
  witnesses: readonly string[] = [],
  pinned: readonly NoteVerifier[] = [],
) => {
  const note = parseNote(written);
  const checkpoint = note === null ? null : parseCheckpoint(note.text);
  if (note === null || checkpoint === null) return null;
  const isSigned = verifier !== null && checkpoint.origin === verifier.name && E.isRight(checkNote(note, verifier));
  const missing = pinned.filter((witness) => cosignedAt(note, witness) === null);
  return { ...checkpoint, isSigned, witnesses: cosignaturesOf(note, witnesses, pinned), missing };
};

const isInTree = ({ orderId }: Evidence, event: EvidenceEvent, tree: Checkpoint): boolean => {
  const { revision, eventId, type, metadata, leafIndex, hashes } = event;
  const { recordSha256 } = metadata;
  const leaf = leafTextOf({ eventId, recordSha256, revision, stream: orderStream(orderId), type });
  return isIncluded(leafHash(leaf), leafIndex, tree, hashes);
};

/** Whether the history is whole as of the tree that ends with its last event, and that tree the beginning of the checkpoint's. */
const isComplete = ({ events, completeAt }: Evidence, tree: Checkpoint, verifier: NoteVerifier | null): boolean => {
  const at = signedCheckpointIn(completeAt.checkpoint, verifier);
  return (
    at !== null &&
    at.isSigned &&
    at.size === completeAt.treeSize &&
    (events.at(-1)?.leafIndex ?? -1) === at.size - 1 &&
    events.every(({ revision, leafIndex }, i) => revision === i && leafIndex > (events[i - 1]?.leafIndex ?? -1)) &&
    isConsistent(at, tree, completeAt.hashes)
  );
};

/**
 * Checks checkpoint, inclusions and completeness.
 *
 * @param pinned the key that the ledger is known by, where it is
 * @param witnesses those that must have cosigned the checkpoint
 */
export const checkProofs = (
  evidence: Evidence,
  pinned: NoteVerifier | null,
  witnesses: readonly NoteVerifier[] = [],
): CheckedProofs => {
  const verifier = pinned ?? parseVerifierLine(evidence.key);
  const isAnother = pinned !== null && evidence.key !== verifierLine(pinned);
  const another = isAnother
    ? [evidenceProblem('another-key', 'it is signed with another key than the one that was named')]
    : [];
  const checkpoint = signedCheckpointIn(evidence.checkpoint, verifier, evidence.witnesses, witnesses);
  if (checkpoint === null) {
    const problems = [...another, evidenceProblem('checkpoint-signature', 'checkpoint.txt is no checkpoint')];
    return { checkpoint, included: new Set(), problems };
  }
  const included = new Set(
    evidence.events.filter((event) => isInTree(evidence, event, checkpoint)).map(({ revision }) => revision),
  );
  return {
    checkpoint,
    included,
    problems: [
      ...another,
      ...(checkpoint.isSigned
        ? []
        : [evidenceProblem('checkpoint-signature', "the ledger's key has not signed the checkpoint")]),
      ...checkpoint.witnesses
        .filter(({ signature }) => signature === false)
        .map(({ name }) => evidenceProblem('cosignature', `the cosignature of ${name} is not of this checkpoint`)),
      ...checkpoint.missing.map(({ name }) =>
        evidenceProblem('witness-missing', `the witness ${name} that was named has not cosigned the checkpoint`),
      ),
      ...evidence.events
        .filter(({ revision }) => !included.has(revision))
        .map(({ revision }) => evidenceProblem('not-in-log', `event ${revision} is not in the tree of the checkpoint`)),
      ...(isComplete(evidence, checkpoint, verifier)
        ? []
        : [evidenceProblem('not-complete', 'it does not show that no event of the order is missing')]),
    ],
  };
};
