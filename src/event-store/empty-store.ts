import * as TE from 'fp-ts/lib/TaskEither.js';
import type { StreamName } from '../domain/ids.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { EventStore } from './event-store.ts';

const nothing = async function* (): AsyncGenerator<never, void, undefined> {
  // A log without events.
};

const NEVER_STARTED = 'this ledger was never started; "ramp-ledger serve" begins it';
const NO_EVENTS: readonly RecordedEvent[] = [];
const NO_STREAMS: readonly StreamName[] = [];

/** The log of a ledger that was never started: commands find nothing in it, and write nothing to it. */
export const emptyStore: Pick<
  EventStore,
  | 'append'
  | 'readStream'
  | 'streamPages'
  | 'lastOfStream'
  | 'readAt'
  | 'headersAt'
  | 'listStreams'
  | 'readAll'
  | 'head'
  | 'parsePosition'
  | 'readiness'
  | 'close'
> = {
  append: () => TE.left({ _tag: 'StoreUnavailable', detail: NEVER_STARTED }),
  readStream: () => TE.right(NO_EVENTS),
  streamPages: nothing,
  lastOfStream: () => TE.right(null),
  readAt: () => TE.right(NO_EVENTS),
  headersAt: () => TE.right(NO_EVENTS),
  listStreams: () => TE.right(NO_STREAMS),
  readAll: nothing,
  head: () => TE.right(null),
  parsePosition: () => TE.left({ _tag: 'UnknownPosition' }),
  readiness: () => ({ ready: false, detail: NEVER_STARTED }),
  close: () => Promise.resolve(),
};
