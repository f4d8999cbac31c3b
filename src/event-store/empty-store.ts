import { taskEither as TE } from 'fp-ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { EventStore } from './event-store.ts';

const nothing = async function* (): AsyncGenerator<never, void, undefined> {
  // A log without events.
};

const NO_EVENTS: readonly RecordedEvent[] = [];

/** The log of a ledger that was never started: commands find nothing in it. */
export const emptyStore: Pick<EventStore, 'readStream' | 'readAll' | 'close'> = {
  readStream: () => TE.right(NO_EVENTS),
  readAll: nothing,
  close: () => Promise.resolve(),
};
