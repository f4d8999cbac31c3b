import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { Position } from '../../domain/ids.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { EventStore, StoreUnavailable } from '../../event-store/event-store.ts';
import { PAGE_BYTES, PageBytes } from '../../read-models/page-bytes.ts';

/** Events that are read in one go before it is known how large they are: a usual page of them. */
const FIRST_READ = 50;

/** What an event comes to of a page, which parses it and perhaps proves it. */
export const eventBytes = ({ data, metadata, rawBody }: RecordedEvent): number =>
  data.length + metadata.length + (rawBody?.length ?? 0);

/** The first of some events, as many as a page has by their size. `areAll`: there are no others. */
export type EventsOfPage = { readonly events: readonly RecordedEvent[]; readonly areAll: boolean };

/**
 * The events at the first of some positions, as many as belong to a page by their size, one at the least. Behind the first ones about as
 * many are read in one go as still belong to it, so that few large ones are read for nothing, and usual ones all together.
 */
export const eventsOfPage =
  (store: Pick<EventStore, 'readAt'>, positions: readonly Position[]): TE.TaskEither<StoreUnavailable, EventsOfPage> =>
  async () => {
    const page = new PageBytes();
    const events: RecordedEvent[] = [];
    let [at, atOnce, taken] = [0, FIRST_READ, 0];
    while (at < positions.length) {
      const read = await store.readAt(positions.slice(at, at + atOnce))();
      if (E.isLeft(read)) return read;
      for (const event of read.right) {
        const bytes = eventBytes(event);
        if (!page.takes(bytes)) return E.right({ events, areAll: false });
        events.push(event);
        taken += bytes;
      }
      at += atOnce;
      if (taken > 0) atOnce = Math.max(1, Math.ceil(((PAGE_BYTES - taken) * events.length) / taken));
    }
    return E.right({ events, areAll: true });
  };
