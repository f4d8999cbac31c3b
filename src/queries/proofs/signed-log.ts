import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Position } from '../../domain/ids.ts';
import type { SignedLog } from '../../proofs/proof-log.ts';
import { illFormed, type InvalidParameter, type QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';

/** How long an answer waits for a checkpoint that includes an event (docs/spec/http.md, Position). */
const WITHIN_MS = 5_000;

/** Within this what was acknowledged is signed, unless more comes than can be followed. */
const SOON_MS = 1_500;

type Deps = Pick<QueryDependencies, 'store' | 'proofs'>;

/** The newest checkpoint as soon as it includes an event. */
export const signedWith = (
  { proofs }: Pick<Deps, 'proofs'>,
  position: Position,
): TE.TaskEither<QueryFailure, SignedLog> => proofs.including(position, WITHIN_MS);

/**
 * The newest checkpoint. It is waited a little for one that includes what was acknowledged by now; a log that is busy, or
 * an event store that is away, is no reason not to show the one that there is.
 */
export const newestSigned = ({ store, proofs }: Deps): TE.TaskEither<QueryFailure, SignedLog> =>
  pipe(
    store.head(),
    TE.chainW((head) => proofs.including(head, SOON_MS)),
    TE.orElse(() => proofs.newest()),
  );

/** A size that is signed: at most that of a checkpoint. */
export const signedSize = (
  name: string,
  size: number,
  { size: most }: SignedLog,
): TE.TaskEither<InvalidParameter, number> =>
  size <= most ? TE.right(size) : TE.left(illFormed(name, `a size of at most ${most}, that of the newest checkpoint`));
