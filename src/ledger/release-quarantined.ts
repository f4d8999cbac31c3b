import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { VerifiedDelivery } from '../domain/delivery.ts';
import { parseMetadata } from '../domain/event-metadata.ts';
import { orderStream, quarantineStream, type OrderId, type RequestId, type Sha256 } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { releaseEvent } from '../domain/new-event.ts';
import { readContent } from '../domain/read-content.ts';
import { unreadableEvent } from '../domain/unreadable-event.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { AppendError, EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import { knownEvent } from './order-history.ts';
import { isReleasedAs, releaseFit } from './release-fit.ts';
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

type Answer = TE.TaskEither<RecordFailure, Recorded>;

/** A lost race means that another release of the same body was written: the second look finds it. */
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

/**
 * Whether an order has a quarantined delivery whose release is not noted: that was cut off between the two, and a repeat
 * finishes it.
 */
export const isReleaseCutOff = (
  store: Pick<EventStore, 'readStream'>,
  { verified, release }: QuarantinedDelivery,
): TE.TaskEither<StoreUnavailable, boolean> => {
  const content = release === null ? readContent(verified.body) : null;
  if (content === null || content._tag === 'Unreadable') return TE.right(false);
  return pipe(
    store.readStream(orderStream(content.payload.orderId)),
    TE.map((events) => events.some((event) => holds(event, verified))),
  );
};

/**
 * A release that was interrupted has left its order event behind, which the repeat then meets as a duplicate. That event
 * was recorded by the release, so the repeat answers as the release itself would have done.
 */
const asUninterrupted = (
  store: Pick<EventStore, 'readStream'>,
  verified: VerifiedDelivery,
  inOrder: InOrder,
): TE.TaskEither<StoreUnavailable, InOrder> =>
  inOrder.outcome !== 'duplicate' || inOrder.event.bodySha256 !== verified.bodySha256
    ? TE.right(inOrder)
    : pipe(
        store.readStream(inOrder.stream),
        TE.map((events) =>
          events.some((event) => event.id === inOrder.event.eventId && holds(event, verified))
            ? { ...inOrder, outcome: 'recorded' }
            : inOrder,
        ),
      );

/** The answer of the release that was. */
const answerAgain = (
  { store }: OrderDeps,
  verified: VerifiedDelivery,
  { recorded, data: { eventId, outcome, orderId } }: NonNullable<QuarantinedDelivery['release']>,
): Answer => {
  const stream = orderStream(orderId);
  const fit = releaseFit(recorded.data, verified);
  return pipe(
    store.readStream(stream),
    TE.chainW((events): Answer => {
      const event = events.find((it) => it.id === eventId && isReleasedAs(fit, it));
      return event === undefined
        ? TE.left(unreadableEvent(recorded, 'it names an event that its order does not have'))
        : TE.right({ outcome, orderId, stream, event: knownEvent(event) });
    }),
  );
};

/**
 * First the order event is appended, then the `QuarantineReleased` that names it. A release that is cut off between the
 * two is finished by a repeat.
 */
const releaseNow = (
  deps: OrderDeps,
  request: ReleaseRequest,
  { verified, quarantined }: QuarantinedDelivery,
): TE.TaskEither<RecordFailure | AppendError, Recorded> => {
  const stream = quarantineStream(request.bodySha256);
  const stillThere = (orderId: OrderId | null): Answer =>
    TE.right({ outcome: 'quarantined', orderId, stream, event: quarantined });
  const content = readContent(verified.body);
  if (content._tag === 'Unreadable') return stillThere(content.orderId);
  const noteRelease = (inOrder: InOrder): TE.TaskEither<AppendError, Recorded> => {
    const { outcome, orderId, event: there } = inOrder;
    const { event } = releaseEvent(verified, request, { eventId: there.eventId, outcome, orderId });
    return pipe(
      deps.store.append(stream, quarantined.revision, [event]),
      TE.map(() => inOrder),
    );
  };
  return pipe(
    recordOrderEvent(deps, { verified, content }),
    TE.chainW((inOrder) => asUninterrupted(deps.store, verified, inOrder)),
    TE.chainW(noteRelease),
    TE.orElse((failure): TE.TaskEither<RecordFailure | AppendError, Recorded> =>
      failure._tag === 'OtherFlow' ? stillThere(content.payload.orderId) : TE.left(failure),
    ),
  );
};

const lookAndRelease = (
  deps: OrderDeps,
  request: ReleaseRequest,
  races: number,
): TE.TaskEither<RecordFailure | NotQuarantined, Recorded> => {
  const stream = quarantineStream(request.bodySha256);
  type Released = ReturnType<typeof lookAndRelease>;
  return pipe(
    deps.store.readStream(stream),
    TE.chainEitherKW(quarantinedDelivery),
    TE.chainW((found): TE.TaskEither<RecordFailure | NotQuarantined | AppendError, Recorded> => {
      if (found === null) return TE.left({ _tag: 'NotQuarantined' });
      return found.release === null
        ? releaseNow(deps, request, found)
        : answerAgain(deps, found.verified, found.release);
    }),
    TE.orElse((failure): Released => {
      if (failure._tag !== 'WrongExpectedRevision') return TE.left(failure);
      return races >= MOST_RACES ? TE.left({ _tag: 'RacesLost', stream }) : lookAndRelease(deps, request, races + 1);
    }),
  );
};

/**
 * Decides a quarantined body again by today's rules (docs/spec/domain.md, Release). One that they can read goes to its
 * order as it came, and is released once, however often and by however many it is asked for: each is answered the same.
 * One that they still can't read, or of an order of the other flow, is answered `quarantined`, and nothing is appended.
 */
export const releaseQuarantined =
  (deps: OrderDeps) =>
  (request: ReleaseRequest): TE.TaskEither<RecordFailure | NotQuarantined, Recorded> =>
    lookAndRelease(deps, request, 1);
