import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { orderStream, type OrderId } from '../../domain/ids.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { EventStore, StoreUnavailable } from '../../event-store/event-store.ts';
import type { NotFound } from '../failure/query-failure.ts';
import { NO_SUCH_ORDER, NO_SUCH_REVISION } from './one-order.ts';

/**
 * The stored event of an order by its revision, not by its place: the beginning of a stream may be gone. Of its stream no more
 * is kept than that one, as each may be of a megabyte.
 */
export const recordedEvent =
  (
    store: Pick<EventStore, 'streamPages'>,
    orderId: OrderId,
    revision: number,
  ): TE.TaskEither<StoreUnavailable | NotFound, RecordedEvent> =>
  async () => {
    let isThere = false;
    for await (const page of store.streamPages(orderStream(orderId))) {
      if (E.isLeft(page)) return page;
      const event = page.right.find((candidate) => candidate.revision === revision);
      if (event !== undefined) return E.right(event);
      isThere ||= page.right.length > 0;
    }
    return E.left(isThere ? NO_SUCH_REVISION : NO_SUCH_ORDER);
  };
