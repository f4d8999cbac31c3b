import type { either as E } from 'fp-ts';
import type { EventStore } from '../event-store/event-store.ts';
import { openEventStoreDb } from '../event-store/eventstoredb/eventstoredb-event-store.ts';
import type { CommitSignal } from '../event-store/sqlite/commit-signal.ts';
import { openBeside } from '../event-store/sqlite/sqlite-event-store.ts';
import type { StorePlace } from './store-place.ts';

/** Opens the configured event store beside a serving ledger or without one, for a command or a thread. */
export const openStoreBeside = (
  place: StorePlace,
  signal?: CommitSignal,
): E.Either<{ readonly detail: string }, EventStore> =>
  place.kind === 'sqlite' ? openBeside(place, signal) : openEventStoreDb(place);
