import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Delivery, OrderDelivery, VerifiedDelivery } from '../domain/delivery.ts';
import type { OrderId, StreamName } from '../domain/ids.ts';
import { quarantineEvent } from '../domain/new-event.ts';
import type { Reason } from '../domain/reason.ts';
import type { KnownEvent } from './known-events.ts';
import { appendedEvent, knownEvent } from './order-history.ts';
import type { QuarantinedBodies } from './quarantined-bodies.ts';
import { recordOrderEvent, type OrderDeps } from './record-order-event.ts';
import type { Recorded, RecordFailure } from './recorded.ts';
import { releaseQuarantined } from './release-quarantined.ts';

export type RecordDeps = OrderDeps & {
  /** Bodies whose delivery is a release; those that are quarantined here are added. */
  readonly quarantined: QuarantinedBodies;
};

type Answer = TE.TaskEither<RecordFailure, Recorded>;

/** The first event of a quarantine stream is its `DeliveryQuarantined`, and the same for each repeat. */
const quarantinedBefore = ({ store }: RecordDeps, stream: StreamName): TE.TaskEither<RecordFailure, KnownEvent> =>
  pipe(
    store.readStream(stream),
    TE.chainW(([first]): TE.TaskEither<RecordFailure, KnownEvent> =>
      first === undefined ? TE.left({ _tag: 'RacesLost', stream }) : TE.right(knownEvent(first)),
    ),
  );

const quarantine = (
  deps: RecordDeps,
  verified: VerifiedDelivery,
  reasons: readonly Reason[],
  orderId: OrderId | null,
): Answer => {
  const { bodySha256 } = verified;
  const { stream, event } = quarantineEvent(verified, reasons, orderId);
  return pipe(
    deps.store.append(stream, 'none', [event]),
    TE.map((appended) => appendedEvent(event, appended, bodySha256, event.id)),
    TE.orElse((failure) =>
      failure._tag === 'WrongExpectedRevision' ? quarantinedBefore(deps, stream) : TE.left<RecordFailure>(failure),
    ),
    TE.map((known): Recorded => {
      deps.quarantined.add(bodySha256);
      return { outcome: 'quarantined', orderId, stream, event: known };
    }),
  );
};

const record =
  (deps: RecordDeps, delivery: OrderDelivery): Answer =>
  async () => {
    const recorded = await recordOrderEvent(deps, delivery)();
    if (E.isRight(recorded)) return recorded;
    const failure = recorded.left;
    return failure._tag === 'OtherFlow'
      ? quarantine(deps, delivery.verified, failure.reasons, delivery.content.payload.orderId)()
      : E.left(failure);
  };

/**
 * A body that lies in quarantine, and that today's rules can read (docs/spec/receiving.md, Replies). Where the stored
 * delivery is damaged or gone, the one at hand is recorded as if nothing were there.
 */
const release = (deps: RecordDeps, delivery: OrderDelivery): Answer => {
  const { bodySha256, receivedAt: releasedAt, requestId } = delivery.verified;
  return pipe(
    releaseQuarantined(deps)({ bodySha256, releasedAt, requestId }),
    TE.orElse((failure): Answer =>
      failure._tag === 'NotQuarantined' || failure._tag === 'UnreadableEvent'
        ? record(deps, delivery)
        : TE.left(failure),
    ),
  );
};

/** Records a verified delivery once, whatever else arrives meanwhile (docs/spec/domain.md, Decision). Succeeds only for what is durable. */
export const recordDelivery =
  (deps: RecordDeps) =>
  ({ verified, content }: Delivery): Answer =>
  () => {
    if (content._tag === 'Unreadable') return quarantine(deps, verified, content.reasons, content.orderId)();
    const way = deps.quarantined.has(verified.bodySha256) ? release : record;
    return way(deps, { verified, content })();
  };
