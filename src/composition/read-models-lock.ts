import { statSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import type { CommandFailure } from '../cli/command-failure.ts';
import type { Config } from '../config/index.ts';
import { troubleLine } from '../domain/trouble.ts';
import { inUse, isLocked, lockFileOf, takeLock } from '../event-store/sqlite/exclusive-lock.ts';
import type { OpenError } from '../event-store/sqlite/open-error.ts';
import { lockOf } from '../event-store/sqlite/sqlite-event-store.ts';
import { ledgerNamedIn } from '../read-models/sqlite/generations.ts';
import { openGenerations } from './open-generations.ts';
import { storeFailure } from './store-failure.ts';

type Places = Pick<Config, 'dataDir' | 'eventStore' | 'readModel'>;

/** `wasLast`: it is this ledger that has served from the file last, so that what lies there is of its log as far as it knows. */
type Lock = { readonly release: () => void; readonly wasLast: boolean };

const NOT_HELD: Lock = { release: () => undefined, wasLast: false };

const named = ({ readModel }: Pick<Places, 'readModel'>): string => `READ_MODEL_URL sqlite:${readModel.file}`;

/**
 * How the ledger of a data directory is known, under whatever path that is reached: by the file of its lock, and when it was
 * made. Null where no ledger has served from there.
 */
const ledgerOf = (dataDir: string): string | null => {
  try {
    const lock = statSync(lockOf(dataDir), { bigint: true, throwIfNoEntry: false });
    return lock === undefined ? null : `${lock.ino}.${lock.birthtimeNs}`;
  } catch {
    return null;
  }
};

/** The lock, with the name of who has it for the commands of that ledger; the name may be written once it is held. */
const taken = (places: Places, onUnheld: (problem: string) => void): E.Either<OpenError, Lock> => {
  const { file } = places.readModel;
  const lock = takeLock(lockFileOf(file), named(places));
  if (E.isLeft(lock)) return lock;
  const { release } = lock.right;
  const ledger = ledgerOf(places.dataDir);
  const wasLast = ledger !== null && ledgerNamedIn(file) === ledger;
  const generations = openGenerations(places);
  if (E.isLeft(generations)) return E.right({ release, wasLast });
  try {
    generations.right.nameLedger(ledger);
  } catch (error) {
    onUnheld(error instanceof Error ? error.message : String(error));
  } finally {
    generations.right.close();
  }
  return E.right({ release, wasLast });
};

/**
 * Takes the read models' file for a ledger that serves, whose data directory is locked already. Two that share one would build
 * each other's away for ever. Refused where another ledger has it, or where there can be none: a file of the ledger's that is
 * damaged, or can't be opened now, is no reason to refuse deliveries.
 *
 * @param onUnheld told why others are not kept out, where the lock can't be made; what is answered is held to the log all the same
 */
export const lockReadModels = (places: Places, onUnheld: (problem: string) => void): E.Either<CommandFailure, Lock> => {
  const generations = openGenerations(places);
  if (E.isRight(generations)) generations.right.close();
  else if (generations.left.status === 2) return generations;
  const lock = taken(places, onUnheld);
  if (E.isRight(lock)) return lock;
  if (lock.left._tag === 'StoreInUse') return E.left(storeFailure(lock.left));
  onUnheld(lock.left.detail);
  return E.right(NOT_HELD);
};

/**
 * Why a command of this ledger may not build or exchange read models: a ledger of another data directory serves from the file.
 * Null where none does, or the one of this data directory. Nothing is made or changed.
 */
export const usedByAnother = (places: Pick<Places, 'dataDir' | 'readModel'>): CommandFailure | null => {
  const { file } = places.readModel;
  const locked = isLocked(lockFileOf(file));
  if (E.isLeft(locked) || !locked.right) return null;
  const ledger = ledgerNamedIn(file);
  if (ledger === null || ledger === ledgerOf(places.dataDir)) return null;
  return { status: 1, line: troubleLine(inUse(named(places))) };
};
