import * as t from 'io-ts';
import type { EventStoreDbLocation } from '../event-store/eventstoredb/eventstoredb-location.ts';
import type { SqliteLocation } from '../event-store/sqlite/sqlite-event-store.ts';

/** Which event store a ledger has, and where: what threads are told so that each opens it for itself. */
export type LedgerLocation =
  | ({ readonly kind: 'sqlite' } & SqliteLocation)
  | ({ readonly kind: 'eventstoredb' } & EventStoreDbLocation);

export const LedgerLocationData: { readonly is: t.Is<LedgerLocation> } & t.Mixed = t.union([
  t.type({ kind: t.literal('sqlite'), file: t.string, dataDir: t.string }),
  t.type({ kind: t.literal('eventstoredb'), url: t.string, streamPrefix: t.string, dataDir: t.string }),
]);
