import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { inTime } from '../concurrency/in-time.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import type { KnownQuarantine, QuarantinedBodies } from './quarantined-bodies.ts';
import { recordDelivery, type RecordDeps } from './record-delivery.ts';
import type { Recorded, RecordFailure } from './recorded.ts';

/** A delivery waits so long for the quarantine to be read; then it is spooled. */
const QUARANTINE_WITHIN_MS = 2_000;

const STILL_READING: StoreUnavailable = {
  _tag: 'StoreUnavailable',
  detail: 'the quarantine is still being read from the event store',
};

type Deps = Omit<RecordDeps, 'quarantined' | 'store'> & {
  readonly store: RecordDeps['store'] & Pick<EventStore, 'listStreams'>;
  readonly quarantine: KnownQuarantine;
};

/**
 * `recordDelivery` with what is known of the quarantine.
 *
 * @param withinMs a delivery that comes before the quarantine was read waits so long for it; then the store is as good as away
 */
export const recordKnowingQuarantine = (
  { quarantine, ...deps }: Deps,
  withinMs = QUARANTINE_WITHIN_MS,
): ((delivery: Delivery) => TE.TaskEither<RecordFailure, Recorded>) => {
  const recordKnowing = (quarantined: QuarantinedBodies) => recordDelivery({ ...deps, quarantined });
  const known: TE.TaskEither<StoreUnavailable, QuarantinedBodies> = () =>
    inTime(withinMs, quarantine.load(deps.store)(), E.left(STILL_READING));
  return (delivery) => {
    const { bodies } = quarantine;
    return bodies === null
      ? TE.chainW((read: QuarantinedBodies) => recordKnowing(read)(delivery))(known)
      : recordKnowing(bodies)(delivery);
  };
};
