import type { KeyObject } from 'node:crypto';
import { HASH_BYTES, type Hash } from './merkle-tree.ts';
import { noteText, noteVerifier, parseNote, signNote, type NoteVerifier } from './signed-note.ts';

/** A log at one size (C2SP tlog-checkpoint). */
export type Checkpoint = { readonly origin: string; readonly size: number; readonly root: Hash };

/** What a log signs with, and under which name. */
export type LogIdentity = {
  readonly origin: string;
  readonly signingKey: KeyObject;
  /** The key before it, while that still signs beside it; null where there is none. */
  readonly retiredKey: KeyObject | null;
  /** Whether the configuration gives both the name and the key: whoever does says that this log is that one. */
  readonly isConfigured?: boolean;
};

/** Who verifies what a log signs: by the key of now, and by the one before it while that still signs. */
export const logVerifiers = ({
  origin,
  signingKey,
  retiredKey,
}: LogIdentity): readonly [NoteVerifier, ...NoteVerifier[]] => [
  noteVerifier(origin, signingKey),
  ...(retiredKey === null ? [] : [noteVerifier(origin, retiredKey)]),
];

/** The text that is signed. */
export const checkpointText = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`;

/** Reads the text of a checkpoint; null for anything else. Lines behind the root are extensions, which say nothing here. */
export const parseCheckpoint = (text: string): Checkpoint | null => {
  const [, origin = '', digits = '', base64 = ''] =
    /^([^\n]+)\n(0|[1-9]\d*)\n([A-Za-z0-9+/]{43}=)\n(?:[^\n]+\n)*$/.exec(text) ?? [];
  const [size, root] = [Number(digits), Buffer.from(base64, 'base64')];
  if (origin === '' || !Number.isSafeInteger(size) || root.length !== HASH_BYTES) return null;
  return root.toString('base64') === base64 ? { origin, size, root } : null;
};

/** The checkpoint that a note is of, whoever signed it; null for anything else. */
export const checkpointIn = (note: string): Checkpoint | null => parseCheckpoint(parseNote(note)?.text ?? '');

/** The signed note of a log at one size: the same each time, and the key of now first. */
export const signedCheckpoint = ({ origin, signingKey, retiredKey }: LogIdentity, size: number, root: Hash): string => {
  const text = checkpointText({ origin, size, root });
  const keys = retiredKey === null ? [signingKey] : [signingKey, retiredKey];
  return noteText({ text, signatures: keys.flatMap((key) => signNote(text, origin, key).signatures) });
};
