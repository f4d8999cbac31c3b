import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { Position } from '../../domain/ids.ts';
import type { QueryFailure } from '../failure/query-failure.ts';

/**
 * The right to decide which lines of a bank file are new, which nobody else has until it ends. It is decided over all that
 * others have imported (docs/spec/statements.md, Importing).
 */
export type ImportTurn = {
  /** What includes this position includes all that was imported before; null where the log is empty. */
  readonly position: Position | null;
  readonly end: () => void;
};

/** Waits for the turn, within a bound. */
export type TakeImportTurn = TE.TaskEither<QueryFailure, ImportTurn>;
