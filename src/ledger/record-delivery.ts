import { either as E, type taskEither as TE } from 'fp-ts';
import type { Content, Delivery, VerifiedDelivery } from '../domain/delivery.ts';
import type { UnreadableEvent } from '../domain/ledger-event.ts';
import { orderStream, quarantineStream, type OrderId, type StreamName } from '../domain/ids.ts';
import { quarantineEvent, type EventForStream } from '../domain/new-event.ts';
import type { Reason } from '../domain/reason.ts';
import type {
  AppendError,
  Appended,
  EventStore,
  ExpectedRevision,
  StoreUnavailable,
} from '../event-store/event-store.ts';
import { decide, type Outcome } from './decide.ts';
import { extended, historyOf, withoutFacts, type EventPlace, type OrderHistory } from './order-history.ts';
import type { RecentOrders } from './recent-orders.ts';

/** What became of a delivery, and where its event stands: what the provider is answered (contract.md, Receiving). */
export type Recorded = {
  readonly outcome: Outcome;
  /** Null where a quarantined body names no order. */
  readonly orderId: OrderId | null;
  readonly stream: StreamName;
  readonly place: EventPlace;
};

export type RecordFailure =
  /** Nothing is known to be durable; the provider is to send it again. */
  | StoreUnavailable
  /** Others wrote to the same order each time; the provider is to send it again. */
  | { readonly _tag: 'RacesLost'; readonly stream: StreamName }
  /** The order's stream holds an event that can't be read, so nothing can be decided over it. */
  | UnreadableEvent;

/** What operators are told of a failure: where and why, without a byte of what was delivered or stored. */
export const describeFailure = (failure: RecordFailure): string => {
  if (failure._tag === 'StoreUnavailable') return `the event store: ${failure.detail}`;
  if (failure._tag === 'RacesLost') return `other deliveries were always faster on stream ${failure.stream}`;
  return `event ${failure.recorded.revision} of stream ${failure.recorded.stream}: ${failure.problem}`;
};

export type RecordDeps = {
  readonly store: Pick<EventStore, 'append' | 'readStream'>;
  readonly recent: RecentOrders;
};

type OrderContent = Extract<Content, { _tag: 'OrderEvent' }>;
type Result = E.Either<RecordFailure, Recorded>;

/** Each lost race means that another delivery of the same order was written. */
const MOST_RACES = 50;

const append = (
  { store }: RecordDeps,
  { stream, event }: EventForStream,
  expected: ExpectedRevision,
): Promise<E.Either<AppendError, Appended>> => store.append(stream, expected, [event])();

const placeOf = (verified: VerifiedDelivery, { event }: EventForStream, at: Appended): EventPlace => ({
  eventId: event.id,
  revision: at.revision,
  position: at.position,
  bodySha256: verified.bodySha256,
});

/** The first event of a quarantine stream is its `DeliveryQuarantined`, and the same for each repeat. */
const alreadyQuarantined = async (
  { store }: RecordDeps,
  stream: StreamName,
  orderId: OrderId | null,
  verified: VerifiedDelivery,
): Promise<Result> => {
  const events = await store.readStream(stream)();
  if (E.isLeft(events)) return events;
  const [first] = events.right;
  if (first === undefined) return E.left({ _tag: 'RacesLost', stream });
  const { id: eventId, revision, position } = first;
  const place = { eventId, revision, position, bodySha256: verified.bodySha256 };
  return E.right({ outcome: 'quarantined', orderId, stream, place });
};

const quarantine = async (
  deps: RecordDeps,
  verified: VerifiedDelivery,
  reasons: readonly Reason[],
  orderId: OrderId | null,
): Promise<Result> => {
  const stream = quarantineStream(verified.bodySha256);
  const event = quarantineEvent(verified, reasons, orderId);
  const appended = await append(deps, event, 'none');
  if (E.isRight(appended)) {
    return E.right({ outcome: 'quarantined', orderId, stream, place: placeOf(verified, event, appended.right) });
  }
  return appended.left._tag === 'WrongExpectedRevision'
    ? alreadyQuarantined(deps, stream, orderId, verified)
    : E.left(appended.left);
};

const load = async (
  { store }: RecordDeps,
  stream: StreamName,
): Promise<E.Either<StoreUnavailable | UnreadableEvent, OrderHistory | null>> => {
  const events = await store.readStream(stream)();
  return E.isLeft(events) ? events : historyOf(events.right);
};

/**
 * Decides over what is known of the order: its recent history, or, where there is none, that it is new. Being wrong costs
 * a lost race, after which the stream itself is read and decided over; most orders are one or the other, so most
 * deliveries need no reading at all.
 */
const recordOrderEvent = async (
  deps: RecordDeps,
  verified: VerifiedDelivery,
  content: OrderContent,
): Promise<Result> => {
  const { orderId, eventType } = content.payload;
  const stream = orderStream(orderId);
  let history = deps.recent.get(orderId);
  for (let races = 0; races < MOST_RACES; races += 1) {
    const decision = decide(history, verified, content);
    switch (decision._tag) {
      case 'AlreadyThere':
        return E.right({ outcome: decision.outcome, orderId, stream, place: decision.place });
      case 'OtherFlow':
        return quarantine(deps, verified, decision.reasons, orderId);
      case 'Append': {
        const appended = await append(deps, decision.event, history?.head ?? 'none');
        if (E.isRight(appended)) {
          const place = placeOf(verified, decision.event, appended.right);
          deps.recent.put(orderId, extended(history, eventType, place));
          return E.right({ outcome: decision.outcome, orderId, stream, place });
        }
        if (appended.left._tag !== 'WrongExpectedRevision') return E.left(appended.left);
        break;
      }
      case 'NeedsFacts':
    }
    const loaded = await load(deps, stream);
    if (E.isLeft(loaded)) return loaded;
    history = loaded.right;
    if (history !== null) deps.recent.put(orderId, withoutFacts(history));
  }
  return E.left({ _tag: 'RacesLost', stream });
};

/** Records a verified delivery once, whatever else arrives meanwhile (design.md, Decision). Succeeds only for what is durable. */
export const recordDelivery =
  (deps: RecordDeps) =>
  ({ verified, content }: Delivery): TE.TaskEither<RecordFailure, Recorded> =>
  () =>
    content._tag === 'OrderEvent'
      ? recordOrderEvent(deps, verified, content)
      : quarantine(deps, verified, content.reasons, content.orderId);
