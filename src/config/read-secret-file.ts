import { readFileSync, statSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import { trimmedEnd } from '../domain/trimmed-end.ts';
import { errorCode } from './error-code.ts';

/** What a secret's file holds. `stripped`: a newline at its end was taken off. */
export type SecretFile = { readonly text: string; readonly stripped: boolean };

/** Why a secret's file can't be used. The detail has neither its path nor its content. */
export type SecretFileError =
  | { readonly _tag: 'Absent' }
  | { readonly _tag: 'Unusable'; readonly detail: string; readonly cure: string };

/** A file that is larger is not read. */
export const MOST_SECRET_FILE_BYTES = 65_536;

const unusable = (detail: string, cure: string): E.Either<SecretFileError, never> =>
  E.left({ _tag: 'Unusable', detail, cure });

/** Reads UTF-8 text out of a regular file; anything else, a pipe say, could not be read again at a reload, or block. */
export const readSecretFile = (path: string): E.Either<SecretFileError, SecretFile> => {
  try {
    const stats = statSync(path);
    if (!stats.isFile()) return unusable('is no regular file', 'name a file with the value in it');
    if (stats.size > MOST_SECRET_FILE_BYTES)
      return unusable(`has more than ${MOST_SECRET_FILE_BYTES} bytes`, 'name a file with the value alone');
    const whole = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
    const text = trimmedEnd(whole, '\r\n');
    if (text === '') return unusable('is empty', 'put the value in it');
    return E.right({ text, stripped: text !== whole });
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return E.left({ _tag: 'Absent' });
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return unusable('is no UTF-8 text', 'save it as UTF-8');
    return unusable(`can't be read (${code})`, 'make it readable for the user that the ledger runs as');
  }
};
