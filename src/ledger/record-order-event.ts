import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { OrderDelivery } from '../domain/delivery.ts';
import { orderStream, type OrderId, type StreamName } from '../domain/ids.ts';
import type { UnreadableEvent } from '../domain/unreadable-event.ts';
import type { EventForStream } from '../domain/new-event.ts';
import type { OrderOutcome } from '../domain/quarantine-data.ts';
import type { Reason } from '../domain/reason.ts';
import type { AppendError, EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import { decide } from './decide.ts';
import { foundInMemory, foundInStream, type FoundOrder } from './found-order.ts';
import { appendedEvent, extended, type KnownEvent } from './order-history.ts';
import type { RecentOrders } from './recent-orders.ts';
import type { RecordFailure } from './recorded.ts';

export type OrderDeps = {
  readonly store: Pick<EventStore, 'append' | 'readStream'>;
  readonly recent: RecentOrders;
};

/** What became of an order event, and the event of the order's stream that says so. */
export type InOrder = {
  readonly outcome: OrderOutcome;
  readonly orderId: OrderId;
  readonly stream: StreamName;
  readonly event: KnownEvent;
};

/** The order is one of the other flow: the delivery can't go to it (docs/spec/domain.md, Decision). */
type OtherFlow = { readonly _tag: 'OtherFlow'; readonly reasons: readonly Reason[] };

/** Each lost race means that another delivery of the same order was written. */
const MOST_RACES = 50;

const inOrder = ({ content }: OrderDelivery, outcome: OrderOutcome, event: KnownEvent): InOrder => {
  const { orderId } = content.payload;
  return { outcome, orderId, stream: orderStream(orderId), event };
};

/** Reads the order from its stream, and remembers it. */
const read = (
  { store, recent }: OrderDeps,
  delivery: OrderDelivery,
): TE.TaskEither<StoreUnavailable | UnreadableEvent, FoundOrder | null> => {
  const { orderId } = delivery.content.payload;
  return pipe(
    store.readStream(orderStream(orderId)),
    TE.chainEitherKW((events) => foundInStream(events, delivery)),
    TE.map((order) => {
      if (order !== null) recent.put(orderId, order.history);
      return order;
    }),
  );
};

/** Appends behind the order's head, and remembers the order as it is then. */
const append = (
  { store, recent }: OrderDeps,
  delivery: OrderDelivery,
  order: FoundOrder | null,
  { stream, event }: EventForStream,
  outcome: OrderOutcome,
): TE.TaskEither<AppendError, InOrder> => {
  const { orderId, eventType } = delivery.content.payload;
  const history = order?.history ?? null;
  return pipe(
    store.append(stream, history?.head ?? 'none', [event]),
    TE.map((appended) => {
      const known = appendedEvent(event, appended, delivery.verified.bodySha256);
      recent.put(orderId, extended(history, eventType, known));
      return inOrder(delivery, outcome, known);
    }),
  );
};

const carryOut = (
  deps: OrderDeps,
  delivery: OrderDelivery,
  order: FoundOrder | null,
): TE.TaskEither<AppendError | OtherFlow, InOrder> => {
  const decision = decide(order, delivery);
  switch (decision._tag) {
    case 'NewKey':
      return append(deps, delivery, order, decision.event, 'recorded');
    case 'OtherFacts':
      return append(deps, delivery, order, decision.event, 'conflict');
    case 'SameFacts':
      return TE.right(inOrder(delivery, 'duplicate', decision.event));
    case 'KnownOtherFacts':
      return TE.right(inOrder(delivery, 'conflict', decision.event));
    case 'OtherFlow':
  }
  return TE.left(decision);
};

type Answer = TE.TaskEither<RecordFailure | OtherFlow, InOrder>;

/** Reads the order and decides over it, again after each lost race. */
const recordOverStream = (deps: OrderDeps, delivery: OrderDelivery, races: number): Answer =>
  races >= MOST_RACES
    ? TE.left({ _tag: 'RacesLost', stream: orderStream(delivery.content.payload.orderId) })
    : pipe(
        read(deps, delivery),
        TE.chainW((order) => recordOver(deps, delivery, order, races)),
      );

const recordOver = (deps: OrderDeps, delivery: OrderDelivery, order: FoundOrder | null, races: number): Answer =>
  pipe(
    carryOut(deps, delivery, order),
    TE.orElse((failure): Answer =>
      failure._tag === 'WrongExpectedRevision' ? recordOverStream(deps, delivery, races + 1) : TE.left(failure),
    ),
  );

/**
 * Records an order event once. Decides over what is remembered of the order, or, where nothing is, as if the order were
 * new. Where that is wrong the append is refused, and the stream is read and decided over. Most deliveries belong to a
 * remembered or to a new order, so most of them need no reading.
 */
export const recordOrderEvent =
  (deps: OrderDeps, delivery: OrderDelivery): Answer =>
  () => {
    const history = deps.recent.get(delivery.content.payload.orderId);
    const order = history === null ? null : foundInMemory(history, delivery);
    const isEnough = history === null || order !== null;
    return (isEnough ? recordOver(deps, delivery, order, 0) : recordOverStream(deps, delivery, 0))();
  };
