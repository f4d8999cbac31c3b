import * as fc from 'fast-check';
import { branded } from '../../src/domain/brand.ts';
import type { EventId, Revision, StreamName } from '../../src/domain/ids.ts';
import { instantOf } from '../../src/domain/instant.ts';
import type { NewEvent } from '../../src/domain/recorded-event.ts';
import { migrate, type MigrationLogs } from '../../src/ledger/migrate.ts';
import { inMemoryEventStore, type InMemoryEventStore } from '../support/in-memory-event-store.ts';
import { right } from '../support/right.ts';

/** An event, and the stream that it goes to. */
export type Written = { readonly stream: StreamName; readonly event: NewEvent };

const texts = fc.string({ unit: 'grapheme', maxLength: 8 });

/** Events of some streams, as migrations are given them. */
export const logs = (minLength = 0): fc.Arbitrary<readonly Written[]> =>
  fc
    .array(
      fc.record({
        stream: fc.nat(4),
        type: fc.constantFrom('OnRampFiatPending', 'ConflictingDelivery'),
        data: texts,
        metadata: texts,
        rawBody: fc.option(fc.uint8Array({ maxLength: 6 })),
      }),
      { minLength, maxLength: 24 },
    )
    .map((events) =>
      events.map(({ stream, type, data, metadata, rawBody }, i) => ({
        stream: branded<StreamName>(`order-${stream}`),
        event: {
          id: branded<EventId>(`00000000-0000-5000-8000-${String(i).padStart(12, '0')}`),
          type,
          data: Buffer.from(JSON.stringify(data)),
          metadata: Buffer.from(JSON.stringify({ metadata })),
          rawBody: rawBody === null ? null : Buffer.from(rawBody),
        },
      })),
    );

/** A store that holds these, in their order. */
export const filled = async (log: readonly Written[], epochMs = 0): Promise<InMemoryEventStore> => {
  const store = inMemoryEventStore(() => instantOf(epochMs));
  const heads = new Map<StreamName, number>();
  for (const { stream, event } of log) {
    const head = heads.get(stream) ?? -1;
    right(await store.append(stream, head < 0 ? 'none' : branded<Revision>(head), [event])());
    heads.set(stream, head + 1);
  }
  return store;
};

/** What is to be equal: all but what belongs to the store. */
export const content = (store: InMemoryEventStore) =>
  store.recorded().map(({ stream, revision, id, type, data, metadata, rawBody }) => ({
    stream,
    revision,
    id,
    type,
    data,
    metadata,
    rawBody: rawBody?.toString('hex') ?? null,
  }));

/** Both logs of a migration, three appends under way at once. */
export const between = (
  source: MigrationLogs['source'],
  target: MigrationLogs['target'],
  over: Partial<MigrationLogs> = {},
): MigrationLogs => ({ source, target, inFlight: 3, pause: () => Promise.resolve(), ...over });

/** Migrates, and tells of no progress. */
export const run = (stores: MigrationLogs) => migrate(stores, () => undefined);

/** Always the same six events and more. */
export const SOME = fc.sample(logs(6), { numRuns: 1, seed: 5 })[0] ?? [];
