import * as E from 'fp-ts/lib/Either.js';
import type { Position } from '../../src/domain/ids.ts';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';

/** A store whose subscription gives what is there in batches of these sizes, again and again, and then ends with the signal. */
export const inBatches = (
  store: EventStore,
  sizes: readonly number[],
): Pick<EventStore, 'readStream' | 'subscribe'> => ({
  readStream: store.readStream,
  subscribe: async function* (after: Position | null, signal: AbortSignal) {
    let [batch, batches]: [RecordedEvent[], number] = [[], 0];
    let last = after;
    const isFull = (): boolean => batch.length >= Math.max(1, sizes[batches % Math.max(1, sizes.length)] ?? 1);
    for await (const read of store.readAll(after)) {
      if (signal.aborted) return;
      if (E.isLeft(read)) {
        yield read;
        return;
      }
      batch.push(read.right);
      last = read.right.position;
      if (!isFull()) continue;
      yield E.right(batch);
      [batch, batches] = [[], batches + 1];
    }
    if (batch.length > 0) yield E.right(batch);
    if (!signal.aborted) yield* store.subscribe(last, signal);
  },
});
