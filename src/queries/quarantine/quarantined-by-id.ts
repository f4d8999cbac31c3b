import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { EventId } from '../../domain/ids.ts';
import type { Quarantined } from '../../read-models/read-models.ts';
import { notFound, type QueryFailure } from '../failure/query-failure.ts';
import { whenIncluded } from '../parameters/position-parameter.ts';
import type { QueryDependencies } from '../query-dependencies.ts';

export const NOT_IN_QUARANTINE = notFound('quarantined delivery');

/**
 * A quarantined delivery by the id of its event. One that the read models don't know may just have come: they are asked
 * again when they are as far as the log is now, and then it is not found.
 */
export const quarantinedById = (
  { store, readModels }: Pick<QueryDependencies, 'store' | 'readModels'>,
  eventId: EventId,
): TE.TaskEither<QueryFailure, Quarantined> => {
  const known: TE.TaskEither<QueryFailure, Quarantined | null> = readModels.quarantined(eventId);
  return pipe(
    known,
    TE.chain((quarantined) =>
      quarantined !== null
        ? TE.right(quarantined)
        : pipe(
            store.head(),
            TE.chainW((head) => whenIncluded({ store, readModels }, head)),
            TE.chain(() => known),
          ),
    ),
    TE.chain((quarantined) => (quarantined === null ? TE.left(NOT_IN_QUARANTINE) : TE.right(quarantined))),
  );
};
