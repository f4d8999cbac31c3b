import * as t from 'io-ts';
import { buffer, command, query } from '../../sql/statement.ts';

const entry = { seq: t.number, key: t.string, body_sha256: t.string, received_at: t.string, request_id: t.string };
const delivery = { ...entry, signature: t.string, secret_id: t.string, body: buffer };

const IndexRow = t.type({
  seq: t.number,
  key: t.string,
  body_sha256: t.string,
  received_at: t.string,
  body_bytes: t.number,
  is_set_aside: t.number,
});
const DeliveryRow = t.type(delivery);

/** A delivery as it is stored. */
export type DeliveryRow = t.TypeOf<typeof DeliveryRow>;

const IS_SET_ASIDE = 'EXISTS (SELECT 1 FROM set_aside WHERE set_aside.seq = deliveries.seq)';

const place = { seq: t.number };
const places = { behind: t.number, up_to: t.number };

const IS_ORPHAN = 'NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.seq = set_aside.seq)';

/** How deliveries that wait are written and read. Those that were set aside have a row beside, and don't wait any more. */
export const spoolStatements = {
  add: command(
    `INSERT INTO deliveries (seq, key, body_sha256, signature, secret_id, received_at, request_id, body)
       VALUES (:seq, :key, :body_sha256, :signature, :secret_id, :received_at, :request_id, :body)`,
    delivery,
  ),
  remove: command('DELETE FROM deliveries WHERE seq = :seq', place),
  setAside: command(
    'INSERT OR REPLACE INTO set_aside (seq, problem, at) SELECT seq, :problem, :at FROM deliveries WHERE seq = :seq',
    { ...place, problem: t.string, at: t.string },
  ),
  /** So many deliveries behind a place, up to another one, without their bodies, in order of arrival. */
  index: query(
    `SELECT seq, key, body_sha256, received_at, length(body) AS body_bytes, ${IS_SET_ASIDE} AS is_set_aside
       FROM deliveries WHERE seq > :behind AND seq <= :up_to ORDER BY seq LIMIT :most`,
    { ...places, most: t.number },
    IndexRow,
  ),
  at: query(
    `SELECT seq, key, body_sha256, signature, secret_id, received_at, request_id, body
       FROM deliveries WHERE seq = :seq AND NOT ${IS_SET_ASIDE}`,
    place,
    DeliveryRow,
  ),
  firstAfter: query(
    `SELECT seq, received_at FROM deliveries WHERE seq > :seq AND NOT ${IS_SET_ASIDE} ORDER BY seq LIMIT 1`,
    place,
    t.type({ seq: t.number, received_at: t.string }),
  ),
  /** How many deliveries there are, those that were set aside among them, and the bytes of their bodies. */
  sums: query(
    'SELECT count(*) AS deliveries, coalesce(sum(length(body)), 0) AS body_bytes FROM deliveries',
    {},
    t.type({ deliveries: t.number, body_bytes: t.number }),
  ),
  /** The highest place of all, also where only a row beside is there; 0 where there is none. Each table is asked for its end alone. */
  highest: query(
    `SELECT max(coalesce((SELECT max(seq) FROM deliveries), 0), coalesce((SELECT max(seq) FROM set_aside), 0)) AS seq`,
    {},
    t.type(place),
  ),
  /** What is used of the file, by its own count of pages. */
  usedBytes: query(
    `SELECT (page_count - freelist_count) * page_size AS bytes
       FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()`,
    {},
    t.type({ bytes: t.number }),
  ),
  /** A row beside a delivery that is not there any more, behind a place and up to another one. */
  anyOrphan: query(
    `SELECT seq FROM set_aside WHERE seq > :behind AND seq <= :up_to AND ${IS_ORPHAN} LIMIT 1`,
    places,
    t.type(place),
  ),
  /** All such rows. */
  removeOrphans: command(`DELETE FROM set_aside WHERE seq > :behind AND seq <= :up_to AND ${IS_ORPHAN}`, places),
  /** What was set aside, in order of arrival. */
  allSetAside: query(
    `SELECT seq, key, body_sha256, received_at, request_id, problem, at
       FROM set_aside JOIN deliveries USING (seq) ORDER BY seq`,
    {},
    t.type({ ...entry, problem: t.string, at: t.string }),
  ),
};
