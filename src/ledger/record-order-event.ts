import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { OrderDelivery } from '../domain/delivery.ts';
import { orderStream, type OrderId, type StreamName } from '../domain/ids.ts';
import type { UnreadableEvent } from '../domain/unreadable-event.ts';
import type { EventForStream } from '../domain/new-event.ts';
import type { OrderOutcome } from '../domain/quarantine-data.ts';
import type { Reason } from '../domain/reason.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type {
  AppendError,
  AppendRefused,
  EventStore,
  StoreUnavailable,
  StreamPages,
} from '../event-store/event-store.ts';
import { behindOthers } from '../concurrency/behind-others.ts';
import { decide } from './decide.ts';
import { foundInMemory, foundWith, withSameKey, type FoundOrder } from './found-order.ts';
import type { EventName, KnownEvent } from './known-events.ts';
import { appendedEvent, extended, historyOf, type OrderHistory } from './order-history.ts';
import type { RecentOrders } from './recent-orders.ts';
import type { RecordFailure } from './recorded.ts';

/** What deliveries of orders are recorded in. */
export type OrderStore = Pick<EventStore, 'append' | 'readAt' | 'readStream' | 'streamPages'>;

export type OrderDeps = {
  readonly store: OrderStore;
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

/** Each lost race means that another process wrote to the same order. */
const MOST_RACES = 50;

const inOrder = ({ content }: OrderDelivery, outcome: OrderOutcome, event: KnownEvent): InOrder => {
  const { orderId } = content.payload;
  return { outcome, orderId, stream: orderStream(orderId), event };
};

/**
 * The order as it is remembered, with the facts of the event of the delivery's key, which is read alone: its stream may hold
 * thousands. Null where that event is not found as it is remembered.
 */
const readSameKey = async (
  { store }: OrderDeps,
  history: OrderHistory,
  delivery: OrderDelivery,
): Promise<FoundOrder | null> => {
  const known = withSameKey(history, delivery);
  const events = known === undefined ? E.right([]) : await store.readAt([known.position])();
  const event = E.isRight(events) ? events.right.find(({ id }) => id === known?.eventId) : undefined;
  return event === undefined ? null : foundWith(history, delivery, () => event);
};

/** The same pages, told of as they are read. */
async function* told(
  pages: StreamPages,
  tell: (page: readonly RecordedEvent[]) => void,
): AsyncGenerator<E.Either<StoreUnavailable, readonly RecordedEvent[]>, void, undefined> {
  for await (const page of pages) {
    if (E.isRight(page)) tell(page.right);
    yield page;
  }
}

/** Reads the order from its stream, of which it keeps the event of the delivery's key alone, and remembers it. */
const read = async (
  { store, recent }: OrderDeps,
  delivery: OrderDelivery,
): Promise<E.Either<StoreUnavailable | AppendRefused | UnreadableEvent, FoundOrder | null>> => {
  const { payload, eventId } = delivery.content;
  let sameKey: RecordedEvent | undefined;
  const pages = told(store.streamPages(orderStream(payload.orderId)), (page) => {
    sameKey ??= page.find(({ id }) => id === eventId);
  });
  const history = await historyOf(pages);
  if (E.isLeft(history)) return history;
  if (history.right === null) return E.right(null);
  recent.put(payload.orderId, history.right);
  return E.right(foundInMemory(history.right, delivery) ?? foundWith(history.right, delivery, () => sameKey));
};

/** Appends behind the order's head, and remembers the order as it is then. */
const append = async (
  { store, recent }: OrderDeps,
  delivery: OrderDelivery,
  order: FoundOrder | null,
  { stream, event }: EventForStream,
  name: EventName,
  outcome: OrderOutcome,
): Promise<E.Either<AppendError, InOrder>> => {
  const { orderId, eventType } = delivery.content.payload;
  const history = order?.history ?? null;
  const appended = await store.append(stream, history?.head ?? 'none', [event])();
  if (E.isLeft(appended)) return appended;
  const known = appendedEvent(event, appended.right, delivery.verified.bodySha256, name);
  recent.put(orderId, extended(history, eventType, known));
  return E.right(inOrder(delivery, outcome, known));
};

type CarriedOut = E.Either<AppendError | OtherFlow, InOrder>;

/** What has to be appended is answered later, everything else at once. */
const carryOut = (
  deps: OrderDeps,
  delivery: OrderDelivery,
  order: FoundOrder | null,
): CarriedOut | Promise<CarriedOut> => {
  const decision = decide(order, delivery);
  switch (decision._tag) {
    case 'NewKey':
      return append(deps, delivery, order, decision.event, decision.event.event.id, 'recorded');
    case 'OtherFacts':
      return append(deps, delivery, order, decision.event, decision.name, 'conflict');
    case 'SameFacts':
      return E.right(inOrder(delivery, 'duplicate', decision.event));
    case 'KnownOtherFacts':
      return E.right(inOrder(delivery, 'conflict', decision.event));
    case 'OtherFlow':
  }
  return E.left(decision);
};

const untilWon = async (
  deps: OrderDeps,
  delivery: OrderDelivery,
): Promise<E.Either<RecordFailure | OtherFlow, InOrder>> => {
  const { orderId } = delivery.content.payload;
  const history = deps.recent.get(orderId);
  let order =
    history === null ? null : (foundInMemory(history, delivery) ?? (await readSameKey(deps, history, delivery)));
  let isEnough = history === null || order !== null;
  for (let races = 0; races < MOST_RACES; races += 1) {
    if (!isEnough) {
      // Who won the race has left what the order is now; whoever reads the stream instead would lose to those who need not.
      const newer = deps.recent.get(orderId);
      const isNewer = newer !== null && newer.head > (order?.history.head ?? -1);
      const known = isNewer ? (foundInMemory(newer, delivery) ?? (await readSameKey(deps, newer, delivery))) : null;
      const found = known === null ? await read(deps, delivery) : E.right(known);
      if (E.isLeft(found)) return found;
      order = found.right;
    }
    const carriedOut = await carryOut(deps, delivery, order);
    if (E.isRight(carriedOut)) return carriedOut;
    const failure = carriedOut.left;
    if (failure._tag !== 'WrongExpectedRevision') return E.left(failure);
    isEnough = false;
  }
  return E.left({ _tag: 'RacesLost', stream: orderStream(orderId) });
};

/**
 * Records an order event once, behind those of its order that this process records already. Decides over what is remembered
 * of the order, or, where nothing is, as if the order were new; where other facts than the delivery's may stand under its
 * key, that event is read too. Where that is wrong the append is refused, and the stream is read and decided over. Most
 * deliveries belong to a remembered or to a new order, so most of them need no reading.
 */
export const recordOrderEvent = (
  deps: OrderDeps,
  delivery: OrderDelivery,
): TE.TaskEither<RecordFailure | OtherFlow, InOrder> =>
  behindOthers(deps.store, orderStream(delivery.content.payload.orderId), () => untilWon(deps, delivery));
