import * as t from 'io-ts';
import { buffer, insertion, nullable, query } from '../../sql/statement.ts';

const header = {
  stream: t.string,
  revision: t.number,
  position: t.number,
  id: t.string,
  type: t.string,
  recorded_at: t.number,
  metadata: t.string,
};
const event = { ...header, data: t.string, raw_body: nullable(buffer) };

const HeaderRow = t.type(header);
const EventRow = t.type(event);
const PartRow = t.type({ ...event, stream_id: t.number });
const EventBytes = t.type({ stream: buffer, type: buffer, metadata: buffer, data: buffer });
const WrittenRow = t.type({
  position: t.number,
  id: t.string,
  type: t.string,
  data: buffer,
  metadata: buffer,
  raw_body: nullable(buffer),
});
/** UTF-8, as it came from another thread or as a text. */
type Utf8 = Buffer | string;

/** An event without its data, as it is stored. */
export type HeaderRow = t.TypeOf<typeof HeaderRow>;
/** What an append is compared with that may have been written before. */
export type WrittenRow = t.TypeOf<typeof WrittenRow>;
/** An event as it is stored. */
export type EventRow = t.TypeOf<typeof EventRow>;
/** An event, and the number of its stream. */
export type PartRow = t.TypeOf<typeof PartRow>;

/** An event as it is written. */
export type NewRow = readonly [
  position: number,
  stream: number,
  stream_name: string,
  revision: number,
  id: string,
  type: string,
  recorded_at: number,
  data: Utf8,
  metadata: Utf8,
  raw_body: Buffer | null,
];

/** How events are written. */
export const newEvents = insertion<NewRow>(
  'events',
  ['position', 'stream', 'stream_name', 'revision', 'id', 'type', 'recorded_at', 'data', 'metadata', 'raw_body'],
  { texts: ['data', 'metadata'] },
);

const HEADER = 'stream_name AS stream, revision, position, id, type, recorded_at, metadata';
const EVENT = `${HEADER}, data, raw_body`;
const BEHIND = 'FROM events WHERE position > :after AND position <= :head ORDER BY position LIMIT :most';

const behind = { after: t.number, head: t.number, most: t.number };
const position = { position: t.number };

/** How events are read. */
export const eventStatements = {
  /** Where a stream ends. */
  lastRevision: query(
    'SELECT revision FROM events WHERE stream = :stream ORDER BY revision DESC LIMIT 1',
    { stream: t.number },
    t.type({ revision: t.number }),
  ),
  written: query(
    `SELECT position, id, type, CAST(data AS BLOB) AS data, CAST(metadata AS BLOB) AS metadata, raw_body
       FROM events WHERE stream = :stream AND revision = :revision`,
    { stream: t.number, revision: t.number },
    WrittenRow,
  ),
  ofStream: query(
    `SELECT ${EVENT} FROM events WHERE stream = :stream AND revision >= :from ORDER BY revision LIMIT :most`,
    { stream: t.number, from: t.number, most: t.number },
    EventRow,
  ),
  lastOfStream: query(
    `SELECT ${EVENT} FROM events WHERE stream = :stream ORDER BY revision DESC LIMIT 1`,
    { stream: t.number },
    EventRow,
  ),
  headerAt: query(`SELECT ${HEADER} FROM events WHERE position = :position`, position, HeaderRow),
  at: query(`SELECT ${EVENT} FROM events WHERE position = :position`, position, EventRow),
  /** The texts of one as bytes, which tell a changed byte where the text does not. */
  bytesAt: query(
    `SELECT CAST(stream_name AS BLOB) AS stream, CAST(type AS BLOB) AS type, CAST(metadata AS BLOB) AS metadata,
       CAST(data AS BLOB) AS data FROM events WHERE position = :position`,
    position,
    EventBytes,
  ),
  page: query(`SELECT ${EVENT} ${BEHIND}`, behind, EventRow),
  headers: query(`SELECT ${HEADER} ${BEHIND}`, behind, HeaderRow),
  newest: query(`SELECT ${HEADER} FROM events ORDER BY position DESC LIMIT :most`, { most: t.number }, HeaderRow),
  /** Those of streams whose numbers lie in a range, stream by stream. */
  ofStreams: query(
    `SELECT events.stream AS stream_id, ${EVENT} FROM events
       WHERE events.stream >= :first AND events.stream < :beyond AND position <= :up_to
       ORDER BY events.stream, revision`,
    { first: t.number, beyond: t.number, up_to: t.number },
    PartRow,
  ),
  lastStream: query('SELECT coalesce(max(stream), 0) AS stream FROM events', {}, t.type({ stream: t.number })),
  /** The last position; 0 for an empty log. */
  head: query('SELECT coalesce(max(position), 0) AS position FROM events', {}, t.type(position)),
};
