import { readFileSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import { failing, type CommandFailure } from './command-failure.ts';

/** The bytes of a file that a command was given; the failure says in one line why they can't be had. */
export const fileBytes = (file: string): E.Either<CommandFailure, Buffer> => {
  try {
    return E.right(readFileSync(file));
  } catch (error) {
    return failing(1, `${file} can't be read (${error instanceof Error ? error.message : String(error)})`);
  }
};
