import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import type { Included } from './read-models.ts';

/**
 * Whether read models were made from this log: at their checkpoint it has the very event that they include last. A log that
 * was put back from a backup by hand, or exchanged, gives positions again that they have seen, and they would skip its events;
 * and another ledger may have put its own in their place. Those that include nothing are of any log.
 */
export const areOfThisLog = (
  store: Pick<EventStore, 'readAt'>,
  included: Included | null,
): TE.TaskEither<StoreUnavailable, boolean> =>
  included === null
    ? TE.right(true)
    : pipe(
        store.readAt([included.position]),
        TE.map(([event]) => event?.id === included.eventId && event.recordedAt === included.at),
      );
