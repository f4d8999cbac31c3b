import * as E from 'fp-ts/lib/Either.js';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { StoreUnavailable, StreamPages } from './event-store.ts';

/** The events of all pages of a stream, in memory at once. */
export const wholeStream = async (
  pages: StreamPages,
): Promise<E.Either<StoreUnavailable, readonly RecordedEvent[]>> => {
  const events: RecordedEvent[] = [];
  for await (const page of pages) {
    if (E.isLeft(page)) return page;
    for (const event of page.right) events.push(event);
  }
  return E.right(events);
};
