import { closeSync, openSync, readSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import { readingTrouble } from './file-trouble.ts';
import { failing, type CommandFailure } from './command-failure.ts';
import { inputFault } from './input-fault.ts';

const PIECE_BYTES = 1_048_576;

/** Null where there are more than so many. */
const bytesOf = (file: string, most: number): Buffer | null => {
  const handle = openSync(file, 'r');
  try {
    const pieces: Buffer[] = [];
    let all = 0;
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES);
      const read = readSync(handle, piece);
      if (read === 0) return Buffer.concat(pieces, all);
      pieces.push(piece.subarray(0, read));
      all += read;
      if (all > most) return null;
    }
  } finally {
    closeSync(handle);
  }
};

/**
 * The bytes of a file that a command was given; the failure says in one line why they can't be had.
 *
 * @param most bytes that it may have: of a pipe nobody knows before how many come
 */
export const fileBytes = (file: string, most: number): E.Either<CommandFailure, Buffer> => {
  try {
    const fault = inputFault(file);
    if (fault !== null) return failing(1, fault);
    const bytes = bytesOf(file, most);
    return bytes === null ? failing(1, `${file} has more than ${most} bytes`) : E.right(bytes);
  } catch (error) {
    return failing(1, `${file} can't be read (${readingTrouble(error)})`);
  }
};
