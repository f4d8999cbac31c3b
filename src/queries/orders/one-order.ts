import * as E from 'fp-ts/lib/Either.js';
import * as RA from 'fp-ts/lib/ReadonlyArray.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { foldOrder, orderAt, type Order } from '../../../projections/order-state/index.ts';
import { orderStream, type OrderId } from '../../domain/ids.ts';
import type { Instant } from '../../domain/instant.ts';
import { readLedgerEvent, type LedgerEvent } from '../../domain/ledger-event.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { UnreadableEvent } from '../../domain/unreadable-event.ts';
import type { EventStore, StoreUnavailable } from '../../event-store/event-store.ts';
import { notFound, type NotFound } from '../failure/query-failure.ts';
import { parameter, parseRevision } from '../parameters/parameters.ts';

/** The parameters of one order. */
export const ORDER_PARAMETERS = {
  revision: parameter('As of this revision: the clock too stands at the receipt of its event.', {
    expected: 'a whole number from 0',
    schema: { type: 'integer', minimum: 0 },
    read: parseRevision,
  }),
} as const;

export const NO_SUCH_ORDER = notFound('order');
export const NO_SUCH_REVISION = notFound('revision');

/** The stored events of an order, oldest first; there is always one. */
export const recordedEvents = (
  store: Pick<EventStore, 'readStream'>,
  orderId: OrderId,
): TE.TaskEither<StoreUnavailable | NotFound, readonly RecordedEvent[]> =>
  pipe(
    store.readStream(orderStream(orderId)),
    TE.filterOrElseW(RA.isNonEmpty, () => NO_SUCH_ORDER),
  );

/** Events as today's rules read them; the first that can't be read is a Left. */
export const readEvents = (events: readonly RecordedEvent[]): E.Either<UnreadableEvent, readonly LedgerEvent[]> =>
  E.traverseArray(readLedgerEvent)(events);

/**
 * The order that a stream gives, now, or as of one of its revisions: then the clock too stands at that event's receipt
 * (docs/spec/http.md, One order). A revision beyond the head is not found.
 */
export const orderFrom = (
  events: readonly RecordedEvent[],
  revision: number | null,
  now: Instant,
): E.Either<UnreadableEvent | NotFound, Order> => {
  if (revision !== null && revision >= events.length) return E.left(NO_SUCH_REVISION);
  const upTo = revision === null ? events : events.slice(0, revision + 1);
  return pipe(
    readEvents(upTo),
    E.chainW((read): E.Either<NotFound, Order> => {
      const state = foldOrder(read);
      if (state === null) return E.left(NO_SUCH_ORDER);
      return E.right(orderAt(state, revision === null ? now : (read.at(-1)?.receivedAt ?? now)));
    }),
  );
};
