import { either as E } from 'fp-ts';
import type { Position, StreamName } from '../domain/ids.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { EventStore, StoreUnavailable } from '../event-store/event-store.ts';

/**
 * Events that are in the log under a stream's name, but not in that stream when it is read: what a store's index has
 * lost, or what was moved to another order by hand. No query for their order would see them.
 *
 * @param counts how many events the log has of each stream; more may have been appended meanwhile
 */
export const strayEvents = async (
  store: Pick<EventStore, 'readAll' | 'readStream'>,
  counts: ReadonlyMap<StreamName, number>,
): Promise<E.Either<StoreUnavailable, readonly RecordedEvent[]>> => {
  const found = new Map<StreamName, ReadonlySet<Position>>();
  for (const [stream, count] of counts) {
    const read = await store.readStream(stream)();
    if (E.isLeft(read)) return read;
    const own = read.right.filter((event) => event.stream === stream).map(({ position }) => position);
    if (own.length < count) found.set(stream, new Set(own));
  }
  const strays: RecordedEvent[] = [];
  if (found.size === 0) return E.right(strays);
  for await (const read of store.readAll(null)) {
    if (E.isLeft(read)) return read;
    if (found.get(read.right.stream)?.has(read.right.position) === false) strays.push(read.right);
  }
  return E.right(strays);
};
