import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { failing, type CommandFailure } from '../../cli/command-failure.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import { troubleLine } from '../../domain/trouble.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { serveAppends } from '../../event-store/sqlite/append-socket.ts';
import { lockDataDir } from '../../event-store/sqlite/data-dir-lock.ts';
import { openServing, socketOf } from '../../event-store/sqlite/sqlite-event-store.ts';
import { watchLock } from '../../event-store/watch-lock.ts';
import type { AppendMetrics } from '../../telemetry/append-metrics.ts';
import type { LedgerLocation } from '../../threads/ledger-location.ts';
import { storeFailure } from '../store-failure.ts';
import type { PlaceNews } from './place-log.ts';
import { timedAppends } from './timed-appends.ts';

/** What a ledger that serves is told of its store. */
export type ServingEvents = {
  /** Told how long each append and each commit took. */
  readonly metrics: AppendMetrics;
  /** Something was committed on this machine. */
  readonly onCommit: () => void;
  /** Events that a store on another machine shows, of this ledger and of others. */
  readonly onSeen: (events: readonly RecordedEvent[]) => void;
  /** The store on another machine went away, for a reason, or came back (null). */
  readonly onState: (problem: string | null) => void;
  /** What commands are answered that ask over the local socket how the ledger is. */
  readonly told: () => unknown;
  /** The store's file, or what keeps other ledgers out, is not what it was. */
  readonly onPlace: (news: PlaceNews) => void;
  /** The data directory can hold no socket, for a reason: nobody can ask over it. */
  readonly onNoSocket: (problem: string) => void;
};

const LOOK_EVERY_MS = 1_000;

/** A store on another machine is written to by each command itself. */
const NOT_HERE = TE.left({ _tag: 'StoreUnavailable', detail: 'this ledger takes no appends for others' } as const);

const openConfigured = async (
  location: LedgerLocation,
  { metrics, onCommit, onSeen, onState, told, onPlace, onNoSocket }: ServingEvents,
): Promise<E.Either<CommandFailure, EventStore>> => {
  if (location.kind === 'sqlite') {
    const onOwnCommit = (tookMs: number): void => {
      metrics.commit(tookMs / 1_000);
      onCommit();
    };
    return E.mapLeft(storeFailure)(await openServing(location, onOwnCommit, told, onPlace));
  }
  const lock = lockDataDir(location.dataDir);
  if (E.isLeft(lock)) return E.left(storeFailure(lock.left));
  const { openEventStoreDbServing } = await import('../../event-store/eventstoredb/eventstoredb-event-store.ts');
  const opened = await openEventStoreDbServing({ ...location, lock: lock.right.held }, { onEvents: onSeen, onState });
  if (E.isLeft(opened)) {
    lock.right.release();
    return failing(2, `EVENT_STORE_URL: ${troubleLine(opened.left)}`);
  }
  const store = opened.right;
  // Where the folder can hold no socket, `doctor` asks at the ledger's address alone.
  // A store on another machine may be shared; the spool and the tree of the log are not, where another ledger has them too.
  const watch = watchLock(lock.right.held, (detail) => onPlace({ _tag: 'LockLost', detail }), LOOK_EVERY_MS);
  const socket = await serveAppends(socketOf(location.dataDir), () => NOT_HERE, told).catch((error: unknown) => {
    onNoSocket(error instanceof Error ? error.message : String(error));
    return null;
  });
  return E.right({
    ...store,
    readiness: () => {
      const detail = watch.lost();
      return detail === null ? store.readiness() : { ready: false, detail };
    },
    close: async () => {
      watch.stop();
      await socket?.close();
      await store.close();
      lock.right.release();
    },
  });
};

/**
 * Opens the configured store for a ledger that serves, which has its data directory, and an embedded store, for itself.
 * Whoever is handed this store appends through it: each append is timed here, and nowhere else.
 */
export const openServingStore = async (
  location: LedgerLocation,
  events: ServingEvents,
): Promise<E.Either<CommandFailure, EventStore>> =>
  E.map((store: EventStore) => timedAppends(store, events.metrics.append))(await openConfigured(location, events));
