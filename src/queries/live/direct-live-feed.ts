import * as E from 'fp-ts/lib/Either.js';
import { isOrderStream } from '../../domain/ids.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { LiveFeed } from './live-feed.ts';
import { LiveTexts } from './live-texts.ts';

/** Follows the log in the thread that asks. */
export const directLiveFeed = (store: Pick<EventStore, 'subscribe'>): LiveFeed => {
  const texts = new LiveTexts();
  return async function* (after, personal, signal) {
    for await (const batch of store.subscribe(after, signal)) {
      if (E.isLeft(batch)) {
        yield batch;
        return;
      }
      const told = batch.right.filter(({ stream }) => isOrderStream(stream));
      if (told.length > 0) yield E.right(Buffer.concat(told.map((event) => texts.of(event, personal))));
    }
  };
};
