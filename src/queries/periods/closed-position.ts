import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { PeriodClosedData } from '../../domain/own-event/period-events.ts';
import { unreadableEvent } from '../../domain/unreadable-event.ts';
import { eventOfStream } from '../event-of-stream.ts';
import type { AsOf } from '../../read-models/read-models.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { PeriodStore } from './read-period.ts';

/**
 * The moment of a close, as the store of now names it: a position means something only in the store that gave it, and
 * the log may have moved to another one since.
 */
export const closedPosition = (
  store: PeriodStore,
  { through }: Pick<PeriodClosedData, 'through'>,
): TE.TaskEither<QueryFailure, AsOf> =>
  through === null
    ? TE.right({ checkpoint: null })
    : pipe(
        () => eventOfStream(store.streamPages(through.stream), through.revision),
        TE.bimap(
          (failure): QueryFailure =>
            failure._tag === 'StoreUnavailable'
              ? failure
              : unreadableEvent(through, 'a closed month includes it, and it is not there'),
          (event) => ({ checkpoint: { position: event.position, at: event.recordedAt } }),
        ),
      );
