import { statfs } from 'node:fs/promises';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';

/** What is free for the ledger on the disk of a folder; a Left says why that can't be told. */
export const freeBytes = (folder: string): TE.TaskEither<string, number> =>
  pipe(
    TE.tryCatch(() => statfs(folder), String),
    TE.map(({ bavail, bsize }) => bavail * bsize),
  );
