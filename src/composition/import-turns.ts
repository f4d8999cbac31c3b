import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { untilTaken } from '../concurrency/until-taken.ts';
import type { EventStore, Readiness } from '../event-store/event-store.ts';
import { makeFolder } from '../files/make-folder.ts';
import { takeLock, type ExclusiveLock } from '../event-store/sqlite/exclusive-lock.ts';
import type { QueryFailure } from '../queries/failure/query-failure.ts';
import type { TakeImportTurn } from '../queries/statements/import-turn.ts';

/** The lock of whoever imports a bank file into the ledger of a data directory. */
const importLockOf = (dataDir: string): string => join(dataDir, 'imports.lock');

/** Longer than nearly every import takes: whoever handed in a file still waits for its answer. */
const PATIENCE_MS = 30_000;
const LOOK_EVERY_MS = 50;

/** The lock of the data directory; null where another process has it. */
const takeImports = (dataDir: string): E.Either<QueryFailure, ExclusiveLock | null> => {
  // Without patience: to wait within SQLite would hold the thread, in which deliveries come in.
  const lock = takeLock(importLockOf(dataDir), `DATA_DIR ${dataDir}`, 0);
  if (E.isRight(lock)) return lock;
  return lock.left._tag === 'StoreInUse' ? E.right(null) : E.left({ _tag: 'FileFailed', detail: lock.left.detail });
};

const made = (folder: string): E.Either<QueryFailure, void> =>
  E.tryCatch(
    () => makeFolder(folder),
    (error) => ({ _tag: 'FileFailed', detail: error instanceof Error ? error.message : String(error) }),
  );

/** Where imports go. */
type ImportedInto = Pick<EventStore, 'head'> & {
  /** Whether an append could succeed now; of a command the ledger that serves is asked. */
  readonly readiness: () => Readiness | Promise<Readiness>;
};

/**
 * Imports of all processes on a data directory, one after the other: a ledger that serves, and commands beside it. The lock
 * ends with the process that has it, however that ends. Ledgers with data directories of their own don't see it.
 * While the disk of the events does not answer nobody has a turn: an import whose outcome is not known yet may still count.
 *
 * @param lost of a ledger that serves: why the data directory may be another one's by now, in which it makes nothing; null: it is not
 */
export const importTurns =
  (
    dataDir: string,
    store: ImportedInto,
    patienceMs = PATIENCE_MS,
    lost: () => string | null = () => null,
  ): TakeImportTurn =>
  async (since = performance.now()) => {
    const detail = lost();
    if (detail !== null) return E.left({ _tag: 'StoreUnavailable', detail });
    const folder = made(dataDir);
    if (E.isLeft(folder)) return folder;
    const lock = await untilTaken(() => takeImports(dataDir), since + patienceMs, LOOK_EVERY_MS);
    if (E.isLeft(lock)) return lock;
    if (lock.right === null) return E.left({ _tag: 'Overloaded', by: 'imports' });
    const readiness = await store.readiness();
    if (!readiness.ready) {
      lock.right.release();
      const { detail: why, reason } = readiness;
      return E.left({ _tag: 'StoreUnavailable', detail: why, ...(reason === undefined ? {} : { reason }) });
    }
    const head = await store.head()();
    if (E.isLeft(head)) {
      lock.right.release();
      return head;
    }
    return E.right({ position: head.right, end: lock.right.release });
  };
