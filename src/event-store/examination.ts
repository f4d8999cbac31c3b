import type { taskEither as TE } from 'fp-ts';
import type { Position } from '../domain/ids.ts';
import type { EventHeader } from '../domain/recorded-event.ts';
import type { StoreUnavailable } from './event-store.ts';

/** What `doctor` asks of a store, beside a ledger that serves it or without one. Nothing is written. */
export type Examination = {
  /** What the store is, in a few words, once it was seen to be whole as far as that is quick to see. */
  readonly about: TE.TaskEither<StoreUnavailable, string>;
  /** The last events, newest first, at most so many. */
  readonly newest: (most: number) => TE.TaskEither<StoreUnavailable, readonly EventHeader[]>;
  /** The event at a position; null where there is none. */
  readonly at: (position: Position) => TE.TaskEither<StoreUnavailable, EventHeader | null>;
  readonly close: () => Promise<void>;
};
