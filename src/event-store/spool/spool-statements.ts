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
  /** So many deliveries behind a place, without their bodies, in order of arrival. */
  index: query(
    `SELECT seq, key, body_sha256, received_at, length(body) AS body_bytes, ${IS_SET_ASIDE} AS is_set_aside
       FROM deliveries WHERE seq > :seq ORDER BY seq LIMIT :most`,
    { ...place, most: t.number },
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
  /** The highest place that has a row beside, whether its delivery is there or not; 0 where none has. */
  highestSetAside: query('SELECT coalesce(max(seq), 0) AS seq FROM set_aside', {}, t.type(place)),
  /** Rows beside a delivery that is not there any more. */
  removeOrphans: command(
    'DELETE FROM set_aside WHERE NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.seq = set_aside.seq)',
    {},
  ),
  /** What was set aside, in order of arrival. */
  allSetAside: query(
    `SELECT seq, key, body_sha256, received_at, request_id, problem, at
       FROM set_aside JOIN deliveries USING (seq) ORDER BY seq`,
    {},
    t.type({ ...entry, problem: t.string, at: t.string }),
  ),
};
