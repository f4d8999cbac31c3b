import * as t from 'io-ts';
import { nullable, query } from '../../sql/statement.ts';

/** Bytes as SQLite's client hands them out. */
const buffer = new t.Type<Buffer>(
  'buffer',
  (u): u is Buffer => Buffer.isBuffer(u),
  (u, c) => (Buffer.isBuffer(u) ? t.success(u) : t.failure(u, c)),
  t.identity,
);

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

/** An event without its data, as it is stored. */
export type HeaderRow = t.TypeOf<typeof HeaderRow>;
/** An event as it is stored. */
export type EventRow = t.TypeOf<typeof EventRow>;
/** An event, and the number of its stream. */
export type PartRow = t.TypeOf<typeof PartRow>;

const HEADER = 'stream_name AS stream, revision, position, id, type, recorded_at, metadata';
const EVENT = `${HEADER}, data, raw_body`;
const BEHIND = 'FROM events WHERE position > :after AND position <= :head ORDER BY position LIMIT :most';

const behind = { after: t.number, head: t.number, most: t.number };
const position = { position: t.number };

/** How events are read. */
export const eventStatements = {
  ofStream: query(
    `SELECT ${EVENT} FROM events WHERE stream = :stream ORDER BY revision`,
    { stream: t.number },
    EventRow,
  ),
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
