import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import type { Checkpoint } from './read-models.ts';

/**
 * Whether read models were made from this log: at their checkpoint it has the very event that they include last. A log that
 * was put back from a backup by hand, or exchanged, gives positions again that they have seen, and they would skip its events.
 */
export const areOfThisLog = (
  store: Pick<EventStore, 'readAt'>,
  checkpoint: Checkpoint | null,
): TE.TaskEither<StoreUnavailable, boolean> =>
  checkpoint === null
    ? TE.right(true)
    : pipe(
        store.readAt([checkpoint.position]),
        TE.map(([included]) => included?.recordedAt === checkpoint.at),
      );
