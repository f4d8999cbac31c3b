import * as E from 'fp-ts/lib/Either.js';
import * as RA from 'fp-ts/lib/ReadonlyArray.js';
import type { Position } from '../../domain/ids.ts';
import { comparePositions } from '../../domain/position.ts';
import type { RecordedEvent } from '../../domain/recorded-event.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { AuditFilter } from '../../read-models/read-models.ts';
import type { Snapshot } from '../../read-models/snapshot.ts';
import type { QueryFailure } from '../failure/query-failure.ts';
import { auditSearch, type AuditHit } from '../trail/audit-search.ts';
import { allPages } from './all-pages.ts';

export type LogStore = Pick<EventStore, 'readStream' | 'readAt' | 'readAll'>;

type Sources = { readonly snapshot: Snapshot; readonly store: LogStore };

/** Events in batches; a Left is the last that counts. */
type EventBatches = AsyncGenerator<E.Either<QueryFailure, readonly RecordedEvent[]>, void, undefined>;

const AT_ONCE = 500;

/** The log from its start up to where the snapshot is, read once from end to end. */
async function* wholeLog(store: LogStore, upTo: Position): EventBatches {
  let batch: RecordedEvent[] = [];
  for await (const event of store.readAll(null)) {
    if (E.isLeft(event)) {
      yield event;
      return;
    }
    if (comparePositions(event.right.position, upTo) > 0) break;
    batch.push(event.right);
    if (batch.length < AT_ONCE) continue;
    yield E.right(batch);
    batch = [];
  }
  if (batch.length > 0) yield E.right(batch);
}

async function* filtered({ snapshot, store }: Sources, filter: AuditFilter): EventBatches {
  const pages = allPages(
    (after: Position | null) => snapshot.auditPositions({ ...filter, term: null, after, limit: AT_ONCE }),
    (last) => last,
  );
  for await (const positions of pages) {
    if (E.isLeft(positions)) {
      yield positions;
      return;
    }
    yield await store.readAt(positions.right)();
  }
}

async function* found({ snapshot, store }: Sources, filter: AuditFilter, q: string): EventBatches {
  const pages = allPages(
    (after: Position | null) => auditSearch({ store, readModels: snapshot }, { q, filter, after, limit: AT_ONCE }),
    ({ entry }) => entry.position,
  );
  for await (const hits of pages) yield E.map(RA.map(({ event }: AuditHit) => event))(hits);
}

/**
 * The events that a filter of the trail lets through, in the order of the log, up to the position of the snapshot. The log
 * may hold more by now; with that, the export would not be of one position. The snapshot is closed as soon as it is not needed.
 */
export async function* logEvents(
  sources: Sources,
  { filter, q }: { readonly filter: AuditFilter; readonly q: string | null },
): EventBatches {
  const upTo = sources.snapshot.progress().checkpoint?.position ?? null;
  if (upTo === null) return;
  if (q !== null) yield* found(sources, filter, q);
  else if (filter.type === null && filter.from === null && filter.to === null) {
    // The log alone says the rest: whoever reads it slowly keeps nothing of the read models from being given back.
    await sources.snapshot.close();
    yield* wholeLog(sources.store, upTo);
  } else yield* filtered(sources, filter);
}
