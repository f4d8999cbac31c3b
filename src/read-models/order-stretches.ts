import * as E from 'fp-ts/lib/Either.js';
import { isOrderStream, type Position, type StreamName } from '../domain/ids.ts';
import { comparePositions } from '../domain/position.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { EventStore, StoreUnavailable } from '../event-store/event-store.ts';

/** Events of orders that follow each other in the log, by stream. `upTo`: where the stretch ends. */
export type OrderStretch = {
  readonly upTo: Position;
  readonly streams: ReadonlyMap<StreamName, readonly RecordedEvent[]>;
};

/** The log behind a position up to another, cut into stretches of so many events. */
export async function* orderStretches(
  store: Pick<EventStore, 'readAll'>,
  after: Position | null,
  upTo: Position,
  most: number,
): AsyncGenerator<E.Either<StoreUnavailable, OrderStretch>, void, undefined> {
  let [streams, events] = [new Map<StreamName, RecordedEvent[]>(), 0];
  for await (const read of store.readAll(after)) {
    if (E.isLeft(read)) {
      yield read;
      return;
    }
    const event = read.right;
    if (comparePositions(event.position, upTo) > 0) break;
    events += 1;
    if (isOrderStream(event.stream)) {
      const known = streams.get(event.stream);
      if (known === undefined) streams.set(event.stream, [event]);
      else known.push(event);
    }
    if (events < most || event.position === upTo) continue;
    yield E.right({ upTo: event.position, streams });
    [streams, events] = [new Map<StreamName, RecordedEvent[]>(), 0];
  }
  yield E.right({ upTo, streams });
}
