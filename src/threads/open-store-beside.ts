import type * as E from 'fp-ts/lib/Either.js';
import type { Trouble } from '../domain/trouble.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { CommitSignal } from '../event-store/sqlite/commit-signal.ts';
import { openBeside } from '../event-store/sqlite/sqlite-event-store.ts';
import type { LedgerLocation } from './ledger-location.ts';

/**
 * Opens the configured event store beside a serving ledger or without one, for a command or a thread. The client of the
 * server is large, and is loaded by those only who have one.
 */
export const openStoreBeside = async (
  location: LedgerLocation,
  signal?: CommitSignal,
): Promise<E.Either<Trouble, EventStore>> => {
  if (location.kind === 'sqlite') return openBeside(location, signal);
  const { openEventStoreDb } = await import('../event-store/eventstoredb/eventstoredb-event-store.ts');
  return openEventStoreDb(location);
};
