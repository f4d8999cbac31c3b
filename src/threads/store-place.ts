import * as t from 'io-ts';
import type { EventStoreDbPlace } from '../event-store/eventstoredb/eventstoredb-place.ts';
import type { SqlitePlace } from '../event-store/sqlite/sqlite-event-store.ts';

/** Which event store a ledger has, and where: what threads are told so that each opens it for itself. */
export type StorePlace =
  ({ readonly kind: 'sqlite' } & SqlitePlace) | ({ readonly kind: 'eventstoredb' } & EventStoreDbPlace);

export const StorePlaceData: { readonly is: t.Is<StorePlace> } & t.Mixed = t.union([
  t.type({ kind: t.literal('sqlite'), file: t.string, dataDir: t.string }),
  t.type({ kind: t.literal('eventstoredb'), url: t.string, streamPrefix: t.string, dataDir: t.string }),
]);
