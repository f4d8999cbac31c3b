import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { orderStream, type OrderId } from '../../domain/ids.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import { eventOfStream } from '../event-of-stream.ts';
import type { EventStore, StoreUnavailable } from '../../event-store/event-store.ts';
import type { NotFound } from '../failure/query-failure.ts';
import { NO_SUCH_ORDER, NO_SUCH_REVISION } from './one-order.ts';

/** The stored event of an order by its revision. */
export const recordedEvent = (
  store: Pick<EventStore, 'streamPages'>,
  orderId: OrderId,
  revision: number,
): TE.TaskEither<StoreUnavailable | NotFound, RecordedEvent> =>
  pipe(
    () => eventOfStream(store.streamPages(orderStream(orderId)), revision),
    TE.mapLeft((failure) => {
      if (failure._tag === 'StoreUnavailable') return failure;
      return failure._tag === 'NoStream' ? NO_SUCH_ORDER : NO_SUCH_REVISION;
    }),
  );
