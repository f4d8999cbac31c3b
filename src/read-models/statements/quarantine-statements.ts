import * as t from 'io-ts';
import { command, nullable, query } from '../../sql/statement.ts';

const row = t.type({ quarantined: t.string, released_as: nullable(t.string), closing: nullable(t.string) });
const whole = t.type({
  position: t.number,
  event_id: t.string,
  stream: t.string,
  order_id: nullable(t.string),
  utr: nullable(t.string),
  quarantined: t.string,
  released_as: nullable(t.string),
});
const place = t.type({ position: t.number });
const page = { after: t.number, most: t.number };

const ROWS = 'SELECT quarantined, released_as, closing FROM quarantine LEFT JOIN quarantine_closings USING (stream)';
const PAGE = 'ORDER BY position LIMIT :most';

/** All that is kept of a delivery, but who closed it. */
export type QuarantineRow = t.TypeOf<typeof whole>;

/** Deliveries that no order event could be read from. */
export const quarantineStatements = {
  insert: command(
    `INSERT INTO quarantine (position, event_id, stream, order_id, utr, quarantined, released_as)
       VALUES (:position, :event_id, :stream, :order_id, :utr, :quarantined, NULL)
       ON CONFLICT DO NOTHING`,
    {
      position: t.number,
      event_id: t.string,
      stream: t.string,
      order_id: nullable(t.string),
      utr: nullable(t.string),
      quarantined: t.string,
    },
  ),
  release: command(
    'UPDATE quarantine SET released_as = :released_as, order_id = coalesce(order_id, :order_id) WHERE stream = :stream',
    { released_as: t.string, order_id: t.string, stream: t.string },
  ),
  close: command(
    `INSERT INTO quarantine_closings (stream, closing) VALUES (:stream, :closing)
       ON CONFLICT (stream) DO UPDATE SET closing = excluded.closing`,
    { stream: t.string, closing: t.string },
  ),
  reopen: command('DELETE FROM quarantine_closings WHERE stream = :stream', { stream: t.string }),
  all: query(`${ROWS} WHERE position > :after ${PAGE}`, page, row),
  open: query(`${ROWS} WHERE position > :after AND released_as IS NULL AND closing IS NULL ${PAGE}`, page, row),
  closed: query(`${ROWS} WHERE position > :after AND released_as IS NULL AND closing IS NOT NULL ${PAGE}`, page, row),
  released: query(`${ROWS} WHERE position > :after AND released_as IS NOT NULL ${PAGE}`, page, row),
  /** The whole row of a stream. */
  ofStream: query(
    `SELECT position, event_id, stream, order_id, utr, quarantined, released_as FROM quarantine WHERE stream = :stream`,
    { stream: t.string },
    whole,
  ),
  byEvent: query(`${ROWS} WHERE event_id = :event_id`, { event_id: t.string }, row),
  closing: query(
    'SELECT closing FROM quarantine_closings WHERE stream = :stream',
    { stream: t.string },
    t.type({ closing: t.string }),
  ),
  ofOrder: query(
    'SELECT position FROM quarantine WHERE order_id = :order_id ORDER BY position',
    { order_id: t.string },
    place,
  ),
  withUtr: query('SELECT position FROM quarantine WHERE utr = :utr ORDER BY position', { utr: t.string }, place),
  countOpen: query(
    `SELECT count(*) AS deliveries FROM quarantine LEFT JOIN quarantine_closings USING (stream)
       WHERE released_as IS NULL AND closing IS NULL`,
    {},
    t.type({ deliveries: t.number }),
  ),
};
