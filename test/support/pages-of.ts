import * as E from 'fp-ts/lib/Either.js';
import type { RecordedEvent } from '../../src/domain/recorded-event.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';

/** The pages of streams that are read by this: each of them on one. */
export const pagesOf = (readStream: EventStore['readStream']): EventStore['streamPages'] =>
  async function* pages(stream) {
    yield await readStream(stream)();
  };

/** Events as a stream that has one page. */
export const onePage = async function* onePage(
  events: readonly RecordedEvent[],
): AsyncGenerator<E.Either<never, readonly RecordedEvent[]>, void, undefined> {
  yield E.right(events);
};
