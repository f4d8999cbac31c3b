import { either as E, type taskEither as TE } from 'fp-ts';
import type { VerifiedDelivery } from '../domain/delivery.ts';
import { parseMetadata } from '../domain/event-metadata.ts';
import { orderStream, quarantineStream, type OrderId, type RequestId, type Sha256 } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { releaseEvent } from '../domain/new-event.ts';
import { readContent } from '../domain/read-content.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import { unreadableEvent } from '../domain/unreadable-event.ts';
import type { AppendError, EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import { placeOf } from './order-history.ts';
import { quarantinedDelivery, type QuarantinedDelivery } from './quarantined-delivery.ts';
import { recordOrderEvent, type InOrder, type OrderDeps } from './record-order-event.ts';
import type { Recorded, RecordFailure } from './recorded.ts';

/** Which body is to be decided again, when, and by which request: both are kept in the `QuarantineReleased`. */
export type ReleaseRequest = {
  readonly bodySha256: Sha256;
  readonly releasedAt: Instant;
  readonly requestId: RequestId;
};

/** No such body is in quarantine. */
export type NotQuarantined = { readonly _tag: 'NotQuarantined' };

type Result = E.Either<RecordFailure, Recorded>;

/** A lost race means that the delivery is released, so that the second look finds it. */
const MOST_RACES = 5;

/** Whether an event of the order is this very delivery, not another one of the same facts. */
const holds = (event: RecordedEvent, verified: VerifiedDelivery): boolean => {
  const metadata = parseMetadata(event.metadata);
  return (
    metadata !== null &&
    metadata.bodySha256 === verified.bodySha256 &&
    metadata.signature === verified.signature &&
    metadata.receivedAt === verified.receivedAt &&
    metadata.requestId === verified.requestId
  );
};

/** What an interrupted release has put into the order is no duplicate: it was recorded by that release. */
const asUninterrupted = async (
  store: Pick<EventStore, 'readStream'>,
  verified: VerifiedDelivery,
  inOrder: InOrder,
): Promise<E.Either<StoreUnavailable, InOrder>> => {
  if (inOrder.outcome !== 'duplicate' || inOrder.place.bodySha256 !== verified.bodySha256) return E.right(inOrder);
  const events = await store.readStream(inOrder.stream)();
  if (E.isLeft(events)) return events;
  const isOwn = events.right.some((event) => event.id === inOrder.place.eventId && holds(event, verified));
  return E.right(isOwn ? { ...inOrder, outcome: 'recorded' } : inOrder);
};

/** The answer of the release that was. */
const answerAgain = async (
  { store }: OrderDeps,
  { recorded, data: { eventId, outcome, orderId } }: NonNullable<QuarantinedDelivery['release']>,
): Promise<Result> => {
  const stream = orderStream(orderId);
  const events = await store.readStream(stream)();
  if (E.isLeft(events)) return events;
  const event = events.right.find(({ id }) => id === eventId);
  return event === undefined
    ? E.left(unreadableEvent(recorded, 'it names an event that its order does not have'))
    : E.right({ outcome, orderId, stream, place: placeOf(event) });
};

/** First the order event, then the word of it: a release that is cut off between the two is finished by a repeat. */
const releaseNow = async (
  deps: OrderDeps,
  request: ReleaseRequest,
  { verified, place }: QuarantinedDelivery,
): Promise<E.Either<RecordFailure | AppendError, Recorded>> => {
  const stream = quarantineStream(request.bodySha256);
  const stillThere = (orderId: OrderId | null): Result => E.right({ outcome: 'quarantined', orderId, stream, place });
  const content = readContent(verified.body);
  if (content._tag === 'Unreadable') return stillThere(content.orderId);
  const recorded = await recordOrderEvent(deps, verified, content);
  if (E.isLeft(recorded)) {
    return recorded.left._tag === 'OtherFlow' ? stillThere(content.payload.orderId) : E.left(recorded.left);
  }
  const inOrder = await asUninterrupted(deps.store, verified, recorded.right);
  if (E.isLeft(inOrder)) return inOrder;
  const { outcome, orderId, place: there } = inOrder.right;
  const { event } = releaseEvent(verified, request, { eventId: there.eventId, outcome, orderId });
  return E.map(() => inOrder.right)(await deps.store.append(stream, place.revision, [event])());
};

/**
 * Decides a quarantined body again by today's rules (docs/spec/domain.md, Release). One that they can read goes to its
 * order as it came, and is released once, however often and by however many it is asked for: each is answered the same.
 * One that they still can't read, or of an order of the other flow, is answered `quarantined`, and nothing is appended.
 */
export const releaseQuarantined =
  (deps: OrderDeps) =>
  (request: ReleaseRequest): TE.TaskEither<RecordFailure | NotQuarantined, Recorded> =>
  async () => {
    const stream = quarantineStream(request.bodySha256);
    for (let races = 0; races < MOST_RACES; races += 1) {
      const events = await deps.store.readStream(stream)();
      if (E.isLeft(events)) return events;
      const quarantined = quarantinedDelivery(events.right);
      if (E.isLeft(quarantined)) return quarantined;
      if (quarantined.right === null) return E.left({ _tag: 'NotQuarantined' });
      if (quarantined.right.release !== null) return answerAgain(deps, quarantined.right.release);
      const released = await releaseNow(deps, request, quarantined.right);
      if (E.isRight(released)) return released;
      if (released.left._tag !== 'WrongExpectedRevision') return E.left(released.left);
    }
    return E.left({ _tag: 'RacesLost', stream });
  };
