import { verify } from 'node:crypto';
import { sha256 } from '../../domain/sha256.ts';
import type { NoteVerifier } from '../signed-note.ts';
import type { Files } from './evidence-files.ts';

/** The digests of all other files, and the signature of that list: with them nothing in the ZIP is left unsigned. */
export const LIST = 'SHA256SUMS';
export const LIST_SIGNATURE = 'SHA256SUMS.sig';

/** The line of one file, as `sha256sum --check` reads it. */
export const listLine = (name: string, content: Buffer): string => `${sha256(content)}  ${name}\n`;

/** The list as `sha256sum --check` reads it. Its first line has blanks: no key ever signs it for a checkpoint. */
export const listText = (files: Files): string =>
  [...files]
    .filter(([name]) => name !== LIST && name !== LIST_SIGNATURE)
    .map(([name, content]) => listLine(name, content))
    .join('');

/** Whether a key has signed a list. */
export const listIsSigned = (list: Buffer, signature: Buffer, { publicKey }: NoteVerifier): boolean =>
  verify(null, list, publicKey, signature);
