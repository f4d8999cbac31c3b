import * as t from 'io-ts';
import type { EventStoreDbLocation } from '../event-store/eventstoredb/eventstoredb-location.ts';
import { lockLost, type HeldFile } from '../event-store/kept-place.ts';
import { SharedDamageData } from '../event-store/sqlite/met-damage.ts';
import type { SqliteLocation } from '../event-store/sqlite/sqlite-event-store.ts';

/** Which event store a ledger has, and where: what threads are told so that each opens it for itself. */
export type LedgerLocation = (
  | ({ readonly kind: 'sqlite' } & SqliteLocation)
  | ({ readonly kind: 'eventstoredb' } & EventStoreDbLocation)
) & {
  /** The lock of the data directory, of a ledger that serves. */
  readonly lock?: HeldFile;
};

const OfALedgerThatServes = t.partial({ lock: t.type({ path: t.string, inode: t.bigint }) });

export const SqliteLocationData: { readonly is: t.Is<SqliteLocation> } & t.Mixed = t.intersection([
  t.type({ file: t.string, dataDir: t.string }),
  t.partial({ damage: SharedDamageData }),
]);

export const LedgerLocationData: { readonly is: t.Is<LedgerLocation> } & t.Mixed = t.intersection([
  t.union([
    t.intersection([t.type({ kind: t.literal('sqlite') }), SqliteLocationData]),
    t.type({ kind: t.literal('eventstoredb'), url: t.string, streamPrefix: t.string, dataDir: t.string }),
  ]),
  OfALedgerThatServes,
]);

/**
 * Asked before anything is opened by its name in the data directory: why that may be another ledger's by now, as where it was removed
 * while this one served. Null where it may not, and for whoever does not serve.
 */
export const folderLost =
  ({ lock }: Pick<LedgerLocation, 'lock'>): (() => string | null) =>
  () =>
    lock === undefined ? null : lockLost([lock]);
