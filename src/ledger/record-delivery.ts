import { either as E, type taskEither as TE } from 'fp-ts';
import type { Content, Delivery, VerifiedDelivery } from '../domain/delivery.ts';
import { quarantineStream, type OrderId, type StreamName } from '../domain/ids.ts';
import { quarantineEvent } from '../domain/new-event.ts';
import type { Reason } from '../domain/reason.ts';
import { placeAt, placeOf } from './order-history.ts';
import type { QuarantinedBodies } from './quarantined-bodies.ts';
import { recordOrderEvent, type OrderDeps } from './record-order-event.ts';
import type { Recorded, RecordFailure } from './recorded.ts';
import { releaseQuarantined } from './release-quarantined.ts';

export type RecordDeps = OrderDeps & {
  /** Bodies whose delivery is a release; those that are quarantined here are added. */
  readonly quarantined: QuarantinedBodies;
};

type OrderContent = Extract<Content, { _tag: 'OrderEvent' }>;
type Result = E.Either<RecordFailure, Recorded>;

/** The first event of a quarantine stream is its `DeliveryQuarantined`, and the same for each repeat. */
const alreadyQuarantined = async (
  { store }: RecordDeps,
  stream: StreamName,
  orderId: OrderId | null,
): Promise<Result> => {
  const events = await store.readStream(stream)();
  if (E.isLeft(events)) return events;
  const [first] = events.right;
  return first === undefined
    ? E.left({ _tag: 'RacesLost', stream })
    : E.right({ outcome: 'quarantined', orderId, stream, place: placeOf(first) });
};

const quarantine = async (
  deps: RecordDeps,
  verified: VerifiedDelivery,
  reasons: readonly Reason[],
  orderId: OrderId | null,
): Promise<Result> => {
  const { bodySha256 } = verified;
  const stream = quarantineStream(bodySha256);
  const { event } = quarantineEvent(verified, reasons, orderId);
  const appended = await deps.store.append(stream, 'none', [event])();
  if (E.isLeft(appended) && appended.left._tag !== 'WrongExpectedRevision') return E.left(appended.left);
  deps.quarantined.add(bodySha256);
  return E.isRight(appended)
    ? E.right({ outcome: 'quarantined', orderId, stream, place: placeAt(event.id, appended.right, bodySha256) })
    : alreadyQuarantined(deps, stream, orderId);
};

const record = async (deps: RecordDeps, verified: VerifiedDelivery, content: OrderContent): Promise<Result> => {
  const recorded = await recordOrderEvent(deps, verified, content);
  if (E.isRight(recorded)) return recorded;
  return recorded.left._tag === 'OtherFlow'
    ? quarantine(deps, verified, recorded.left.reasons, content.payload.orderId)
    : E.left(recorded.left);
};

/**
 * A body that lies in quarantine, and that today's rules can read (docs/spec/receiving.md, Replies). Where what lies
 * there is damaged, the delivery at hand is as good as it ever was.
 */
const release = async (deps: RecordDeps, verified: VerifiedDelivery, content: OrderContent): Promise<Result> => {
  const { bodySha256, receivedAt: releasedAt, requestId } = verified;
  const released = await releaseQuarantined(deps)({ bodySha256, releasedAt, requestId })();
  if (E.isRight(released)) return released;
  return released.left._tag === 'NotQuarantined' || released.left._tag === 'UnreadableEvent'
    ? record(deps, verified, content)
    : E.left(released.left);
};

/**
 * Records a verified delivery once, whatever else arrives meanwhile (docs/spec/domain.md, Decision). Succeeds only for
 * what is durable.
 */
export const recordDelivery =
  (deps: RecordDeps) =>
  ({ verified, content }: Delivery): TE.TaskEither<RecordFailure, Recorded> =>
  () => {
    if (content._tag === 'Unreadable') return quarantine(deps, verified, content.reasons, content.orderId);
    const way = deps.quarantined.has(verified.bodySha256) ? release : record;
    return way(deps, verified, content);
  };
