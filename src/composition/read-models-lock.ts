import * as E from 'fp-ts/lib/Either.js';
import type { CommandFailure } from '../cli/command-failure.ts';
import type { Config } from '../config/index.ts';
import { troubleLine } from '../domain/trouble.ts';
import { lockLost } from '../event-store/kept-place.ts';
import { inUse, isLocked, lockFileOf, takeLock, type ExclusiveLock } from '../event-store/sqlite/exclusive-lock.ts';
import { nameServer, serverNamedIn } from '../read-models/sqlite/ledger-names.ts';
import { heldUnderId } from './held-under-id.ts';
import { placeOf, servingNameOf } from './ledger-name.ts';
import { logNameOf } from './log-name.ts';
import { openGenerations } from './open-generations.ts';
import { storeFailure } from './store-failure.ts';

type Places = Pick<Config, 'dataDir' | 'eventStore' | 'readModel'>;

/** The read models' file, had by a ledger that serves. */
export type ReadModelsLock = {
  /** To be called where files of theirs were taken away, the lock with them maybe: it is taken anew, and the ledger named. */
  readonly renew: () => void;
  readonly release: () => void;
};

/** Told of what leaves the file open to others; what is answered is held to the log all the same. */
export type OnOpenToOthers = {
  /** Why others are not kept out, where the lock can't be made or its holder not be named. */
  readonly onUnheld: (problem: string) => void;
  /** Another ledger has taken the file meanwhile; said once, with the cure. */
  readonly onLost: (problem: string) => void;
};

const named = ({ readModel }: Pick<Places, 'readModel'>): string => `READ_MODEL_URL sqlite:${readModel.file}`;

/** Commands know by it whether it is their own ledger that serves. */
const leaveName = (places: Places, { onUnheld }: OnOpenToOthers): void => {
  try {
    nameServer(places.readModel.file, servingNameOf(places));
  } catch (error) {
    onUnheld(error instanceof Error ? error.message : String(error));
  }
};

/** Whether a lock still keeps others out: one that is taken now would be of the same file. */
const isKept = ({ held }: ExclusiveLock, { readModel }: Places): boolean =>
  held.path === lockFileOf(readModel.file) && lockLost([held]) === null;

const lasting = (
  places: Places,
  taken: ExclusiveLock | null,
  on: OnOpenToOthers,
  lost: () => string | null,
): ReadModelsLock => {
  let lock = taken;
  let isLost = false;
  const takeAnew = (): boolean => {
    // The thread takes deliveries: where it is known to be another's, nobody is waited for.
    const again = takeLock(lockFileOf(places.readModel.file), named(places), isLost ? 0 : undefined);
    if (E.isRight(again)) {
      lock?.release();
      lock = again.right;
      isLost = false;
      return true;
    }
    if (again.left._tag !== 'StoreInUse') on.onUnheld(again.left.detail);
    else if (!isLost) {
      isLost = true;
      on.onLost(troubleLine(again.left));
    }
    return false;
  };
  return {
    renew: () => {
      if (lost() !== null) return;
      if ((lock !== null && isKept(lock, places)) || takeAnew()) leaveName(places, on);
    },
    release: () => lock?.release(),
  };
};

/**
 * Takes the read models' file for a ledger that serves, whose data directory is locked already. Two that share one would build
 * each other's away for ever. Refused where another ledger has it, or where there can be none: a file of the ledger's that is
 * damaged, or can't be opened now, is no reason to refuse deliveries.
 *
 * @param lost why this ledger has its data directory no longer, null where it has: the lock is not taken anew then, since it may be
 * the next ledger's
 */
export const lockReadModels = (
  places: Places,
  on: OnOpenToOthers,
  lost: () => string | null = () => null,
): E.Either<CommandFailure, ReadModelsLock> => {
  const generations = openGenerations(places);
  if (E.isLeft(generations) && generations.left.status === 2) return generations;
  try {
    const taken = takeLock(lockFileOf(places.readModel.file), named(places));
    if (E.isRight(taken)) {
      if (E.isRight(generations)) {
        heldUnderId(places, generations.right);
        leaveName(places, on);
      }
      return E.right(lasting(places, taken.right, on, lost));
    }
    if (taken.left._tag === 'StoreInUse') return E.left(storeFailure(taken.left));
    on.onUnheld(taken.left.detail);
    return E.right(lasting(places, null, on, lost));
  } finally {
    if (E.isRight(generations)) generations.right.close();
  }
};

/**
 * Why a command may not build or exchange read models: a ledger serves from the file that is neither the one of this data
 * directory nor one on this log. Null where none does, or such a one. Nothing is made or changed.
 */
export const usedByAnother = (places: Places): CommandFailure | null => {
  const { file } = places.readModel;
  const locked = isLocked(lockFileOf(file));
  if (E.isLeft(locked) || !locked.right) return null;
  const server = serverNamedIn(file);
  if (server === null || server.ledger === placeOf(places.dataDir) || server.log === logNameOf(places.eventStore)) {
    return null;
  }
  return { status: 1, line: troubleLine(inUse(named(places))) };
};
