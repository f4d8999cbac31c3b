import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { EventId, RequestId } from '../../domain/ids.ts';
import type { Recorded, RecordFailure } from '../../ledger/recorded.ts';
import type { NotQuarantined } from '../../ledger/release-quarantined.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import type { QueryDependencies } from '../query-dependencies.ts';
import { NOT_IN_QUARANTINE, quarantinedById } from './quarantined-by-id.ts';

/** A release that failed, as a delivery is answered that could not be recorded (docs/spec/receiving.md, Replies). */
export const notReleased = (failure: RecordFailure | NotQuarantined): QueryFailure => {
  if (failure._tag === 'NotQuarantined') return NOT_IN_QUARANTINE;
  return failure._tag === 'UnreadableEvent' ? failure : { _tag: 'NotRecorded', failure };
};

/** Decides a quarantined delivery again, by the id of its event (docs/spec/http.md, Quarantine). */
export const release = (
  deps: Pick<QueryDependencies, 'store' | 'readModels' | 'release' | 'now'>,
  eventId: EventId,
  requestId: RequestId,
): TE.TaskEither<QueryFailure, Recorded> =>
  pipe(
    quarantinedById(deps, eventId),
    TE.chain(({ bodySha256 }) =>
      pipe(deps.release({ bodySha256, releasedAt: deps.now(), requestId }), TE.mapLeft(notReleased)),
    ),
  );
