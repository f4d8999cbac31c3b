import * as E from 'fp-ts/lib/Either.js';
import { inUse, isLocked, lockFileOf } from './exclusive-lock.ts';
import type { OpenError } from './open-error.ts';
import { isDataDirInUse } from './data-dir-lock.ts';

/** An event store's file, as a refusal names it. */
export const storeNamed = (file: string): string => `EVENT_STORE_URL sqlite:${file}`;

/**
 * Why no ledger of a data directory can write to its event store: one of another data directory has the file. It is what a
 * start is refused with. Null: none has it. Nothing is made or changed.
 */
export const storeInUse = ({
  file,
  dataDir,
}: {
  readonly file: string;
  readonly dataDir: string;
}): OpenError | null => {
  // Whoever has the data directory has the file too, or is about to.
  const own = isDataDirInUse(dataDir);
  if (E.isLeft(own) || own.right) return null;
  const locked = isLocked(lockFileOf(file));
  return E.isRight(locked) && locked.right ? inUse(storeNamed(file)) : null;
};
