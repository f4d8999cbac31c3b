import { either as E } from 'fp-ts';
import type { Content, VerifiedDelivery } from '../domain/delivery.ts';
import { orderStream, type OrderId, type StreamName } from '../domain/ids.ts';
import type { UnreadableEvent } from '../domain/unreadable-event.ts';
import type { OrderOutcome } from '../domain/quarantine-data.ts';
import type { Reason } from '../domain/reason.ts';
import type { EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import { decide } from './decide.ts';
import { extended, historyOf, placeAt, withoutFacts, type EventPlace, type OrderHistory } from './order-history.ts';
import type { RecentOrders } from './recent-orders.ts';
import type { RecordFailure } from './recorded.ts';

export type OrderDeps = {
  readonly store: Pick<EventStore, 'append' | 'readStream'>;
  readonly recent: RecentOrders;
};

/** What became of an order event, and where it stands in its order's stream. */
export type InOrder = {
  readonly outcome: OrderOutcome;
  readonly orderId: OrderId;
  readonly stream: StreamName;
  readonly place: EventPlace;
};

/** The order is one of the other flow: the delivery can't go to it (docs/spec/domain.md, Decision). */
export type OtherFlow = { readonly _tag: 'OtherFlow'; readonly reasons: readonly Reason[] };

type OrderContent = Extract<Content, { _tag: 'OrderEvent' }>;

/** Each lost race means that another delivery of the same order was written. */
const MOST_RACES = 50;

const load = async (
  { store }: OrderDeps,
  stream: StreamName,
): Promise<E.Either<StoreUnavailable | UnreadableEvent, OrderHistory | null>> => {
  const events = await store.readStream(stream)();
  return E.isLeft(events) ? events : historyOf(events.right);
};

/**
 * Records an order event once. Decides over what is known of the order: its recent history, or, where there is none, that
 * it is new. Being wrong costs a lost race, after which the stream itself is read and decided over; most orders are one or
 * the other, so most deliveries need no reading at all.
 */
export const recordOrderEvent = async (
  deps: OrderDeps,
  verified: VerifiedDelivery,
  content: OrderContent,
): Promise<E.Either<RecordFailure | OtherFlow, InOrder>> => {
  const { orderId, eventType } = content.payload;
  const stream = orderStream(orderId);
  let history = deps.recent.get(orderId);
  for (let races = 0; races < MOST_RACES; races += 1) {
    const decision = decide(history, verified, content);
    switch (decision._tag) {
      case 'AlreadyThere':
        return E.right({ outcome: decision.outcome, orderId, stream, place: decision.place });
      case 'OtherFlow':
        return E.left(decision);
      case 'Append': {
        const { event } = decision.event;
        const appended = await deps.store.append(stream, history?.head ?? 'none', [event])();
        if (E.isRight(appended)) {
          const place = placeAt(event.id, appended.right, verified.bodySha256);
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
