import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { takeLock } from '../event-store/sqlite/exclusive-lock.ts';
import type { TakeMonths } from '../queries/periods/one-by-one.ts';

/**
 * Takes the months of a data directory, by a lock that ends with the process (docs/spec/finance.md, Periods). Whoever closes or
 * opens one for a ledger has its data directory, whatever its store is.
 *
 * @param lost of a ledger that serves: why the data directory may be another one's by now, in which it makes nothing; null: it is not
 */
export const takeMonthsOf =
  (dataDir: string, lost: () => string | null = () => null): TakeMonths =>
  () => {
    const gone = lost();
    if (gone !== null) return E.left({ _tag: 'StoreUnavailable', detail: gone });
    const lock = takeLock(join(dataDir, 'months.lock'), `the months of ${dataDir}`, 0);
    if (E.isRight(lock)) return E.right(lock.right.release);
    const { _tag, detail } = lock.left;
    return _tag === 'StoreInUse' ? E.right(null) : E.left({ _tag: 'StoreUnavailable', detail });
  };
