import { either as E, readonlyArray as RA, taskEither as TE } from 'fp-ts';
import { pipe } from 'fp-ts/lib/function.js';
import { foldOrder, orderAt, type Order } from '../../projections/order-state/index.ts';
import { orderStream, type OrderId } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import { readLedgerEvent, type LedgerEvent } from '../domain/ledger-event.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { EventStore } from '../event-store/event-store.ts';
import { notFound, type Problem } from '../http/problem.ts';
import { storeUnavailable, unreadableEvent } from './query-problems.ts';

export const NO_SUCH_ORDER = notFound('there is no such order');
export const NO_SUCH_REVISION = notFound('the order has no such revision');

/** The stored events of an order, oldest first; 404 where there are none. */
export const recordedEvents = (
  store: Pick<EventStore, 'readStream'>,
  orderId: OrderId,
): TE.TaskEither<Problem, readonly RecordedEvent[]> =>
  pipe(
    store.readStream(orderStream(orderId)),
    TE.mapLeft(storeUnavailable),
    TE.filterOrElse(RA.isNonEmpty, () => NO_SUCH_ORDER),
  );

/** Events as today's rules read them; the first that can't be read is 500 `unreadable-event`. */
export const readEvents = (events: readonly RecordedEvent[]): E.Either<Problem, readonly LedgerEvent[]> =>
  pipe(events, E.traverseArray(readLedgerEvent), E.mapLeft(unreadableEvent));

/**
 * The order that a stream gives, now, or as of one of its revisions: then the clock too stands at that event's receipt
 * (docs/spec/http.md, One order). 404 for a revision beyond the head.
 */
export const orderFrom = (
  events: readonly RecordedEvent[],
  revision: number | null,
  now: Instant,
): E.Either<Problem, Order> => {
  if (revision !== null && revision >= events.length) return E.left(NO_SUCH_REVISION);
  const upTo = revision === null ? events : events.slice(0, revision + 1);
  return pipe(
    readEvents(upTo),
    E.chain((read) => {
      const state = foldOrder(read);
      if (state === null) return E.left(NO_SUCH_ORDER);
      return E.right(orderAt(state, revision === null ? now : (read.at(-1)?.receivedAt ?? now)));
    }),
  );
};
