import { taskEither as TE } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import type { EventId } from '../domain/ids.ts';
import { notFound, type Problem } from '../http/problem.ts';
import type { Quarantined } from '../read-models/read-models.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { whenIncluded } from './position-parameter.ts';
import { behind, storeUnavailable } from './query-problems.ts';

export const NOT_IN_QUARANTINE = notFound('there is no such delivery in quarantine');

/**
 * A quarantined delivery by the id of its event. One that the read models don't know may just have come: they are asked
 * again when they are as far as the log is now, and then it is 404.
 */
export const quarantinedById = (
  { store, readModels }: Pick<ApiDependencies, 'store' | 'readModels'>,
  eventId: EventId,
): TE.TaskEither<Problem, Quarantined> => {
  const known = pipe(readModels.quarantined(eventId), TE.mapLeft(behind));
  return pipe(
    known,
    TE.chain((quarantined) =>
      quarantined !== null
        ? TE.right(quarantined)
        : pipe(
            store.head(),
            TE.mapLeft(storeUnavailable),
            TE.chain((head) => whenIncluded({ store, readModels }, head)),
            TE.chain(() => known),
          ),
    ),
    TE.chain((quarantined) => (quarantined === null ? TE.left(NOT_IN_QUARANTINE) : TE.right(quarantined))),
  );
};
