import { branded } from '../../domain/brand.ts';
import type { EventId, Revision, StreamName } from '../../domain/ids.ts';
import { instantOf } from '../../domain/instant.ts';
import { positionAt } from '../../domain/position.ts';
import type { EventHeader, RecordedEvent } from '../../domain/recorded-event.ts';
import type { StreamEvents } from '../parted-log.ts';
import type { EventRow, HeaderRow, PartRow } from './event-statements.ts';

/** A row as an event without its data. */
export const header = (row: HeaderRow): EventHeader => ({
  stream: branded<StreamName>(row.stream),
  revision: branded<Revision>(row.revision),
  position: positionAt(row.position),
  id: branded<EventId>(row.id),
  type: row.type,
  recordedAt: instantOf(row.recorded_at),
  metadata: row.metadata,
});

/** A row as an event. */
export const recorded = (row: EventRow): RecordedEvent => ({
  stream: branded<StreamName>(row.stream),
  revision: branded<Revision>(row.revision),
  position: positionAt(row.position),
  id: branded<EventId>(row.id),
  type: row.type,
  recordedAt: instantOf(row.recorded_at),
  data: row.data,
  metadata: row.metadata,
  rawBody: row.raw_body,
});

/** Runs of rows of one stream each, as events. */
export const byStream = (
  rows: Iterable<PartRow>,
  read: (row: EventRow) => RecordedEvent,
): ReadonlyMap<number, readonly RecordedEvent[]> => {
  const streams = new Map<number, RecordedEvent[]>();
  let [last, events]: [number | null, RecordedEvent[]] = [null, []];
  for (const row of rows) {
    if (row.stream_id !== last) {
      events = [];
      last = row.stream_id;
      streams.set(last, events);
    }
    events.push(read(row));
  }
  return streams;
};

/** Events under the name of their stream; none where that is not known. */
export const named = (events: readonly RecordedEvent[], stream: StreamName | undefined): readonly StreamEvents[] =>
  stream === undefined ? [] : [{ stream, events }];
