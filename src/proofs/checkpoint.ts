import type { KeyObject } from 'node:crypto';
import { HASH_BYTES, type Hash } from './merkle-tree.ts';
import { noteText, signNote } from './signed-note.ts';

/** A log at one size (C2SP tlog-checkpoint). */
export type Checkpoint = { readonly origin: string; readonly size: number; readonly root: Hash };

/** What a log signs with, and under which name. */
export type LogIdentity = { readonly origin: string; readonly signingKey: KeyObject };

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

/** The signed note of a log at one size: the same each time. */
export const signedCheckpoint = ({ origin, signingKey }: LogIdentity, size: number, root: Hash): string =>
  noteText(signNote(checkpointText({ origin, size, root }), origin, signingKey));
