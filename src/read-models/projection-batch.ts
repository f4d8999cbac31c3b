import { addAll } from '../domain/add-all.ts';
import * as E from 'fp-ts/lib/Either.js';
import { auditMark, type AuditMark } from '../../projections/audit-trail/index.ts';
import { atMost } from '../concurrency/at-most.ts';
import { isOrderStream, type Position, type StreamName } from '../domain/ids.ts';
import { comparePositions } from '../domain/position.ts';
import { unreadableEvent, type UnreadableEvent } from '../domain/unreadable-event.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { EventStore, StoreUnavailable } from '../event-store/event-store.ts';
import { bankChange, isBankStream, type BankChange } from './bank-change.ts';
import { readLedgerEvent } from '../domain/ledger-event.ts';
import { projectOrder, type ProjectedOrder } from './projected-order.ts';
import type { MatchChange } from './match-change.ts';
import { matchChange } from './own-match-change.ts';
import { isOfQuarantine, quarantineChange, type QuarantineChange } from './quarantine-change.ts';
import type { StreamMemory } from './stream-memory.ts';
import type { Included } from './read-models.ts';

/** An order that a batch touches. `isNew`: its first event is of the batch, so that nothing was kept of it before. */
export type BatchOrder = ProjectedOrder & { readonly isNew: boolean };

/** What some events that follow each other in the log change: whole orders, marks of the trail, the quarantine. */
export type ProjectionBatch = {
  readonly checkpoint: Included;
  readonly events: number;
  /**
   * Each as it is at the checkpoint, folded when it is its turn: two thousand states at a time would outlive several garbage
   * collections. To be gone through once.
   */
  readonly orders: Iterable<BatchOrder>;
  readonly marks: readonly AuditMark[];
  readonly quarantine: readonly QuarantineChange[];
  /** What the ledger itself noted of bank lines, transfers and decisions, in the order of the log. */
  readonly match: readonly MatchChange[];
  readonly bank: readonly BankChange[];
  /** Damaged events; all of them are known once the orders were gone through. */
  readonly unreadable: readonly UnreadableEvent[];
};

/** Events behind each other, at least one. */
export type Batch = readonly [RecordedEvent, ...(readonly RecordedEvent[])];

const isUpTo = (head: Position) => (event: RecordedEvent) => comparePositions(event.position, head) <= 0;

/** A stream that a batch touches, and its events of the batch. */
type Touched = readonly [stream: StreamName, ofBatch: readonly RecordedEvent[]];

/** Streams that are read at a time: each is a question to a store that may be on another machine. */
const READS_AT_ONCE = 32;

/** Where a touched stream is remembered up to the batch, else all that the store has of it up to the batch's end. */
type Known = { readonly stream: StreamName; readonly ofBatch: readonly RecordedEvent[] } & (
  | { readonly place: number }
  | { readonly whole: readonly RecordedEvent[] }
);

/** A server may leave an event out of what it tells of its log, and have it in the stream. */
const followEachOther = (events: readonly RecordedEvent[]): boolean =>
  events.every(({ revision }, i) => revision === (events[0]?.revision ?? 0) + i);

const wholeStreams = async (
  store: Pick<EventStore, 'readStream'>,
  memory: StreamMemory,
  touched: readonly Touched[],
  head: Position,
): Promise<E.Either<StoreUnavailable, readonly Known[]>> => {
  memory.begin();
  const found = touched.map(([stream, ofBatch]): Known | null => {
    if (!followEachOther(ofBatch)) return null;
    if (ofBatch[0]?.revision === 0) return { stream, ofBatch, whole: ofBatch };
    const place = memory.find(stream, ofBatch);
    return place === null ? null : { stream, ofBatch, place };
  });
  const unknown = touched.filter((_, i) => found[i] === null);
  const read = await atMost(READS_AT_ONCE, unknown, ([stream]) => store.readStream(stream)());
  if (E.isLeft(read)) return read;
  const missing = read.right.values();
  return E.right(
    touched.map(
      ([stream, ofBatch], i) =>
        found[i] ?? { stream, ofBatch, whole: (missing.next().value ?? []).filter(isUpTo(head)) },
    ),
  );
};

const byStream = (events: readonly RecordedEvent[]): ReadonlyMap<StreamName, readonly RecordedEvent[]> => {
  const streams = new Map<StreamName, RecordedEvent[]>();
  for (const event of events) {
    const known = streams.get(event.stream);
    if (known === undefined) streams.set(event.stream, [event]);
    else known.push(event);
  }
  return streams;
};

/** Folds the orders of touched streams one by one. */
function* folded(
  streams: readonly Known[],
  memory: StreamMemory,
  unreadable: UnreadableEvent[],
): Generator<BatchOrder, void> {
  for (const known of streams) {
    const { stream, ofBatch } = known;
    const before = 'place' in known ? memory.read(known.place) : null;
    const events = 'place' in known ? ofBatch : known.whole;
    const projected = projectOrder(events, readLedgerEvent, before?.events);
    const [first] = events;
    if (before === null && first !== undefined && first.revision > 0) {
      unreadable.push(unreadableEvent(first, 'the events before it are gone: its stream was cut off'));
    }
    // An order that has settled has few events to come. A stream with damage is read anew each time, and its damage told.
    const isOpen = projected.order !== null && projected.order.state.settledAt === null;
    if (isOpen && projected.unreadable.length === 0) memory.keep(stream, before, projected.read);
    addAll(unreadable, projected.unreadable);
    if (projected.order !== null) yield { ...projected.order, isNew: ofBatch[0]?.revision === 0 };
  }
}

/**
 * What a batch changes, from the events of the streams that it touches.
 *
 * @param memory of the runner, so that most streams need not be read
 */
export const projectBatch = async (
  store: Pick<EventStore, 'readStream'>,
  batch: Batch,
  memory: StreamMemory,
): Promise<E.Either<StoreUnavailable, ProjectionBatch>> => {
  const last = batch.at(-1) ?? batch[0];
  const unreadable: UnreadableEvent[] = [];
  const quarantine: QuarantineChange[] = [];
  const match: MatchChange[] = [];
  const bank: BankChange[] = [];
  const touched: Touched[] = [];
  for (const [stream, ofBatch] of byStream(batch)) {
    if (isOfQuarantine(stream)) {
      addAll(
        quarantine,
        ofBatch.map(quarantineChange).filter((change) => change !== null),
      );
    } else if (isBankStream(stream)) {
      for (const event of ofBatch) {
        const change = bankChange(event);
        if (change !== null) bank.push(change);
      }
    } else if (isOrderStream(stream)) {
      touched.push([stream, ofBatch]);
    } else {
      addAll(match, ofBatch.flatMap(matchChange));
    }
  }
  const streams = await wholeStreams(store, memory, touched, last.position);
  if (E.isLeft(streams)) return streams;
  return E.right({
    checkpoint: { position: last.position, at: last.recordedAt, eventId: last.id },
    events: batch.length,
    orders: folded(streams.right, memory, unreadable),
    marks: batch.map(auditMark),
    quarantine,
    match,
    bank,
    unreadable,
  });
};
