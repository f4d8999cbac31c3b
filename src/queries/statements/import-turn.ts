import type * as E from 'fp-ts/lib/Either.js';
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

/**
 * Waits for the turn, within a bound.
 *
 * @param since when whoever waits for it was asked, by `performance.now()`; now, where nothing is said. Of several that wait behind
 *   one another each has the bound from there, not from the end of the one before.
 */
export type TakeImportTurn = (since?: number) => Promise<E.Either<QueryFailure, ImportTurn>>;
