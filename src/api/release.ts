import { taskEither as TE } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import type { EventId, RequestId } from '../domain/ids.ts';
import { problem, type Problem } from '../http/problem.ts';
import { describeFailure, type Recorded, type RecordFailure } from '../ledger/recorded.ts';
import type { NotQuarantined } from '../ledger/release-quarantined.ts';
import type { ApiDependencies } from './api-dependencies.ts';
import { NOT_IN_QUARANTINE, quarantinedById } from './quarantined-by-id.ts';
import { unreadableEvent } from './query-problems.ts';

/** As a delivery is answered that could not be recorded (docs/spec/receiving.md, Replies). */
const notRecorded = (failure: RecordFailure | NotQuarantined): Problem => {
  if (failure._tag === 'NotQuarantined') return NOT_IN_QUARANTINE;
  if (failure._tag === 'UnreadableEvent') return unreadableEvent(failure);
  const cause = describeFailure(failure);
  return failure._tag === 'RacesLost'
    ? problem('overloaded', 'too much went to the same order; ask again', { cause })
    : problem('not-durable', 'the release could not be made durable; ask again', { cause });
};

/** Decides a quarantined delivery again, by the id of its event (docs/spec/http.md, Quarantine). */
export const release = (
  deps: Pick<ApiDependencies, 'store' | 'readModels' | 'release' | 'now'>,
  eventId: EventId,
  requestId: RequestId,
): TE.TaskEither<Problem, Recorded> =>
  pipe(
    quarantinedById(deps, eventId),
    TE.chain(({ bodySha256 }) =>
      pipe(deps.release({ bodySha256, releasedAt: deps.now(), requestId }), TE.mapLeft(notRecorded)),
    ),
  );
