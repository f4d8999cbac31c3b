import * as E from 'fp-ts/lib/Either.js';
import type { CommandFailure } from '../cli/command-failure.ts';
import { Generations, type GenerationsError } from '../read-models/sqlite/generations.ts';

/** The read models' file. A place where there can be none is a wrong setting; a file of the ledger's that is damaged is not. */
export const openGenerations = (file: string): E.Either<CommandFailure, Generations> =>
  E.mapLeft(({ _tag, detail }: GenerationsError): CommandFailure =>
    _tag === 'GenerationsUnusable' ? { status: 1, line: detail } : { status: 2, line: `READ_MODEL_URL: ${detail}` },
  )(Generations.open(file));
