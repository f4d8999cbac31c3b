import { statSync } from 'node:fs';
import type { Config } from '../config/index.ts';
import { lockOf } from '../event-store/sqlite/data-dir-lock.ts';
import type { LedgerName } from '../read-models/sqlite/ledger-names.ts';
import { ledgerIdIn } from './ledger-id.ts';
import { logNameOf } from './log-name.ts';

type Places = Pick<Config, 'dataDir' | 'eventStore'>;

/** A file as no other is on its disk: a number is given again once its file is gone, and then with another time. */
export const placeByLock = ({ ino, birthtimeNs }: { readonly ino: bigint; readonly birthtimeNs: bigint }): string =>
  `${ino}.${birthtimeNs}`;

/**
 * This very data directory, under whatever path it is reached, and none that was copied from it: by the file of its lock. Null
 * where no ledger has served from there.
 */
export const placeOf = (dataDir: string): string | null => {
  try {
    const lock = statSync(lockOf(dataDir), { bigint: true, throwIfNoEntry: false });
    return lock === undefined ? null : placeByLock(lock);
  } catch {
    return null;
  }
};

const nameOf = (ledger: string | null, { eventStore }: Places): LedgerName | null =>
  ledger === null ? null : { ledger, log: logNameOf(eventStore) };

/** How a ledger is named that serves, among all that do: two data directories are two also where one is a copy. */
export const servingNameOf = (places: Places): LedgerName | null => nameOf(placeOf(places.dataDir), places);

/**
 * For whom read models are held to a log: whoever has the data directory, moved or copied as it may be. Null where none has
 * served from it yet.
 */
export const ledgerNameOf = (places: Places): LedgerName | null =>
  nameOf(ledgerIdIn(places.dataDir) ?? placeOf(places.dataDir), places);
