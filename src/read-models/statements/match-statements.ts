import * as t from 'io-ts';
import { command, insertion, nullable, query } from '../../sql/statement.ts';

const byName = { name: t.string };
const body = t.type({ body: t.string });
const no = { no: t.number };
const item = t.type({ item: nullable(t.number) });

/** Bank lines and transfers, decisions on them, and what was imported at all. */
export const evidenceStatements = {
  addLine: query(
    'INSERT INTO match_evidence (file, idx) VALUES (:file, :idx) RETURNING no',
    { file: t.number, idx: t.number },
    t.type(no),
  ),
  addTransfer: query(
    'INSERT INTO match_evidence (transfer_id) VALUES (:transfer_id) RETURNING no',
    { transfer_id: t.string },
    t.type(no),
  ),
  /**
   * A line as its first file has it; which of its references its files agree on, where that is other than this file says; and
   * what it is found by as others have it.
   */
  lineAt: query(
    `SELECT l.line, e.own, e.further, e.file FROM match_evidence e JOIN statements s ON s.position = e.file
       JOIN statement_lines l ON l.statement_id = s.statement_id AND l.reading = s.reading AND l.idx = e.idx
       WHERE e.no = :no`,
    no,
    t.type({ line: t.string, own: nullable(t.string), further: nullable(t.string), file: t.number }),
  ),
  transferAt: query(
    'SELECT transfer_id FROM match_evidence WHERE no = :no AND transfer_id IS NOT NULL',
    no,
    t.type({ transfer_id: t.string }),
  ),
  fileOf: query(
    'SELECT position FROM statements WHERE statement_id = :statement_id',
    { statement_id: t.string },
    t.type({ position: t.number }),
  ),
  bringFrom: command(
    'UPDATE match_evidence SET file = :file, idx = :idx, own = :own, further = :further WHERE no = :no',
    { ...no, file: t.number, idx: t.number, own: nullable(t.string), further: nullable(t.string) },
  ),
  names: query(
    `SELECT e.no, l.line_id, e.transfer_id FROM match_evidence e LEFT JOIN statements s ON s.position = e.file
       LEFT JOIN statement_lines l ON l.statement_id = s.statement_id AND l.reading = s.reading AND l.idx = e.idx
       WHERE e.no > :no ORDER BY e.no LIMIT :most`,
    { ...no, most: t.number },
    t.type({ no: t.number, line_id: nullable(t.string), transfer_id: nullable(t.string) }),
  ),
  itemOf: query('SELECT item FROM match_evidence WHERE no = :no', no, item),
  /** The item of a line or transfer, and where that stands in lists. */
  placeOf: query(
    'SELECT e.item, i.day, i.item_id FROM match_evidence e JOIN match_items i ON i.no = e.item WHERE e.no = :no',
    no,
    t.type({ item: t.number, day: t.string, item_id: t.string }),
  ),
  /** Null: in none any more. */
  place: command('UPDATE match_evidence SET item = :item WHERE no = :no', { ...no, item: nullable(t.number) }),
  anyEvidence: query('SELECT no FROM match_evidence LIMIT 1', {}, t.type({ no: t.number })),
  cover: command(
    `INSERT INTO match_cover (statement_id, currency, first_day, last_day) VALUES (:statement_id, :currency, :first_day, :last_day)
       ON CONFLICT DO NOTHING`,
    { statement_id: t.string, currency: t.string, first_day: t.string, last_day: t.string },
  ),
  covered: query(
    'SELECT DISTINCT currency, first_day, last_day FROM match_cover ORDER BY currency, first_day, last_day',
    {},
    t.type({ currency: t.string, first_day: t.string, last_day: t.string }),
  ),
  putDue: command(
    `INSERT INTO match_due (position, statement_id, after, lines) VALUES (:position, :statement_id, -1, :lines)
       ON CONFLICT DO NOTHING`,
    { position: t.number, statement_id: t.string, lines: t.number },
  ),
  firstDue: query(
    'SELECT position, statement_id, after FROM match_due ORDER BY position LIMIT 1',
    {},
    t.type({ position: t.number, statement_id: t.string, after: t.number }),
  ),
  advanceDue: command('UPDATE match_due SET after = :after WHERE position = :position', {
    position: t.number,
    after: t.number,
  }),
  removeDue: command('DELETE FROM match_due WHERE position = :position', { position: t.number }),
  dueLines: query(
    'SELECT coalesce(sum(lines - after - 1), 0) AS lines FROM match_due',
    {},
    t.type({ lines: t.number }),
  ),
  anyCover: query('SELECT currency FROM match_cover LIMIT 1', {}, t.type({ currency: t.string })),
  seeChain: command('INSERT INTO match_chains (chain_id) VALUES (:chain_id) ON CONFLICT DO NOTHING', {
    chain_id: t.string,
  }),
  chains: query('SELECT chain_id FROM match_chains ORDER BY chain_id', {}, t.type({ chain_id: t.string })),
  decide: command(
    `INSERT INTO match_decisions (item_id, body) VALUES (:item_id, :body)
       ON CONFLICT (item_id) DO UPDATE SET body = excluded.body`,
    { item_id: t.string, body: t.string },
  ),
  decision: query('SELECT body FROM match_decisions WHERE item_id = :item_id', { item_id: t.string }, body),
  anyDecision: query('SELECT item_id FROM match_decisions LIMIT 1', {}, t.type({ item_id: t.string })),
  takeBack: command('DELETE FROM match_decisions WHERE item_id = :item_id', { item_id: t.string }),
  name: command('INSERT INTO match_decided (name, item_id) VALUES (:name, :item_id) ON CONFLICT DO NOTHING', {
    ...byName,
    item_id: t.string,
  }),
  unname: command('DELETE FROM match_decided WHERE name = :name AND item_id = :item_id', {
    ...byName,
    item_id: t.string,
  }),
  decisionsOn: query(
    'SELECT item_id FROM match_decided WHERE name = :name ORDER BY item_id',
    byName,
    t.type({ item_id: t.string }),
  ),
  decided: query('SELECT DISTINCT name FROM match_decided ORDER BY name', {}, t.type({ name: t.string })),
};

/** Large items, and what waits until they are made anew. */
export const largeStatements = {
  put: command('INSERT INTO match_large (item) VALUES (:item)', { item: t.number }),
  remove: command('DELETE FROM match_large WHERE item = :item', { item: t.number }),
  all: query('SELECT item FROM match_large', {}, t.type({ item: t.number })),
  wait: command('INSERT INTO match_waiting (ref, position) VALUES (:ref, :position) ON CONFLICT DO NOTHING', {
    ref: t.number,
    position: t.number,
  }),
  waiting: query('SELECT ref FROM match_waiting', {}, t.type({ ref: t.number })),
  goOn: command('DELETE FROM match_waiting', {}),
  firstWaiting: query(
    'SELECT min(position) AS position, count(*) AS nodes FROM match_waiting',
    {},
    t.type({ position: nullable(t.number), nodes: t.number }),
  ),
};

const stored = t.type({ item_id: t.string, evidence: t.string, body: t.string });
/** Orders of a bulk load that something is due for. */
export const awaitedRows = insertion<[no: number, class_: number, day: string, fiat: string]>('match_awaited', [
  'no',
  'class',
  'day',
  'fiat',
]);

const awaited = { no: t.number, class: t.number, day: t.string, fiat: t.string };

/** Items of the match: those of several, or of a line or transfer, in rows of their own; an order by itself in less. */
export const itemStatements = {
  put: query(
    `INSERT INTO match_items (item_id, day, list, evidence, body) VALUES (:item_id, :day, :list, :evidence, :body)
       RETURNING no`,
    { item_id: t.string, day: t.string, list: t.number, evidence: t.string, body: t.string },
    t.type(no),
  ),
  remove: command('DELETE FROM match_items WHERE no = :no', no),
  get: query('SELECT item_id, evidence, body FROM match_items WHERE no = :no', no, stored),
  place: command('INSERT INTO match_placed (no, item) VALUES (:no, :item)', { ...no, item: t.number }),
  displace: command('DELETE FROM match_placed WHERE no = :no', no),
  itemOf: query('SELECT item FROM match_placed WHERE no = :no', no, t.type({ item: t.number })),
  lists: query('SELECT id, list FROM match_lists', {}, t.type({ id: t.number, list: t.string })),
  listOf: query('SELECT id FROM match_lists WHERE list = :list', { list: t.string }, t.type({ id: t.number })),
  addList: query(
    'INSERT INTO match_lists (list) VALUES (:list) RETURNING id',
    { list: t.string },
    t.type({ id: t.number }),
  ),
  /** What stands behind a place of a list. */
  ofList: query(
    `SELECT no, day, item_id FROM match_items
       WHERE list = :list AND (day, item_id) > (:day, :item_id) AND day <= :last_day ORDER BY day, item_id LIMIT :most`,
    { list: t.number, day: t.string, item_id: t.string, last_day: t.string, most: t.number },
    t.type({ no: t.number, day: t.string, item_id: t.string }),
  ),
  await: command('INSERT INTO match_awaited (no, class, day, fiat) VALUES (:no, :class, :day, :fiat)', awaited),
  awaitedAt: query('SELECT no, class, day, fiat FROM match_awaited WHERE no = :no', { no: t.number }, t.type(awaited)),
  /** Answers what it removed. */
  noLongerAwait: query(
    'DELETE FROM match_awaited WHERE no = :no RETURNING no, class, day, fiat',
    { no: t.number },
    t.type(awaited),
  ),
  awaitedOf: query(
    `SELECT no, class, day, fiat FROM match_awaited
       WHERE class = :class AND (day, no) > (:day, :no) AND day <= :last_day ORDER BY day, no LIMIT :most`,
    { class: t.number, day: t.string, no: t.number, last_day: t.string, most: t.number },
    t.type(awaited),
  ),
  addCell: command(
    `INSERT INTO match_cells (class, day, items, fiat) VALUES (:class, :day, :items, :fiat)
       ON CONFLICT (class, day) DO UPDATE SET items = excluded.items, fiat = excluded.fiat`,
    { class: t.number, day: t.string, items: t.number, fiat: t.string },
  ),
  removeCell: command('DELETE FROM match_cells WHERE class = :class AND day = :day', {
    class: t.number,
    day: t.string,
  }),
  cell: query(
    'SELECT items, fiat FROM match_cells WHERE class = :class AND day = :day',
    { class: t.number, day: t.string },
    t.type({ items: t.number, fiat: t.string }),
  ),
  cells: query(
    'SELECT class, day, items, fiat FROM match_cells WHERE day >= :first_day AND day <= :last_day',
    { first_day: t.string, last_day: t.string },
    t.type({ class: t.number, day: t.string, items: t.number, fiat: t.string }),
  ),
  cellsOfClass: query(
    'SELECT class, day, items, fiat FROM match_cells WHERE class = :class AND day >= :first_day AND day <= :last_day',
    { class: t.number, first_day: t.string, last_day: t.string },
    t.type({ class: t.number, day: t.string, items: t.number, fiat: t.string }),
  ),
  classes: query('SELECT id, class FROM match_classes', {}, t.type({ id: t.number, class: t.string })),
  classOf: query('SELECT id FROM match_classes WHERE class = :class', { class: t.string }, t.type({ id: t.number })),
  addClass: query(
    'INSERT INTO match_classes (class) VALUES (:class) RETURNING id',
    { class: t.string },
    t.type({ id: t.number }),
  ),
};
