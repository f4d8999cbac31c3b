import * as E from 'fp-ts/lib/Either.js';
import { isOrderStream, type Position } from '../../domain/ids.ts';
import { Recent } from '../../domain/recent.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { liveEventText } from './live-event-text.ts';
import type { LiveFeed, LivePersonalData } from './live-feed.ts';

/** Events whose text is kept, so that all who follow at the head share it; some KB each. */
const TEXTS = 2_000;

/** Follows the log in the thread that asks. */
export const directLiveFeed = (store: Pick<EventStore, 'subscribe'>): LiveFeed => {
  const texts: Readonly<Record<LivePersonalData, Recent<Position, string>>> = {
    masked: new Recent(TEXTS),
    guarded: new Recent(TEXTS),
  };
  const textOf =
    (personal: LivePersonalData) =>
    (event: RecordedEvent): string => {
      const known = texts[personal].get(event.position);
      if (known !== undefined) return known;
      const text = liveEventText(event, personal);
      texts[personal].put(event.position, text);
      return text;
    };
  return async function* (after, personal, signal) {
    for await (const batch of store.subscribe(after, signal)) {
      if (E.isLeft(batch)) {
        yield batch;
        return;
      }
      const told = batch.right.filter(({ stream }) => isOrderStream(stream));
      if (told.length > 0) yield E.right(Buffer.from(told.map(textOf(personal)).join('')));
    }
  };
};
