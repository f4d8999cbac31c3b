import * as E from 'fp-ts/lib/Either.js';
import type { EventStore } from '../../src/event-store/event-store.ts';
import { right } from './right.ts';
import type { OrderStore } from '../../src/ledger/record-order-event.ts';

/** When an append is cut off: before anything was written, or after, so that only its answer is lost. */
export type CutOff = 'before' | 'after';

/** A store whose n-th append, from 1, gets no answer. Those that lose their race anyway are not counted. */
export const cutOffStore = (store: EventStore, nth: number, when: CutOff): OrderStore => {
  let appends = 0;
  return {
    readAt: store.readAt,
    readStream: store.readStream,
    streamPages: store.streamPages,
    append: (stream, expected, events) => async () => {
      const head = right(await store.readStream(stream)()).at(-1)?.revision ?? 'none';
      if (head === expected) appends += 1;
      if (head !== expected || appends !== nth) return store.append(stream, expected, events)();
      if (when === 'after') right(await store.append(stream, expected, events)());
      return E.left({ _tag: 'StoreUnavailable', detail: 'no answer' });
    },
  };
};
