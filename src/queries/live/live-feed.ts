import type * as E from 'fp-ts/lib/Either.js';
import type { Position } from '../../domain/ids.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { PersonalData } from '../masking/personal-data.ts';

/** What followers may see: personal data is always masked there. */
export type LivePersonalData = Exclude<PersonalData, 'shown'>;

/**
 * Follows the order streams of the log behind a position (null: from the start): each piece is one or more whole
 * server-sent events. Nothing is read before it is asked for. It ends when the signal is aborted, or after a Left.
 */
export type LiveFeed = (
  after: Position | null,
  personal: LivePersonalData,
  signal: AbortSignal,
) => AsyncGenerator<E.Either<QueryFailure, Uint8Array>, void, undefined>;
