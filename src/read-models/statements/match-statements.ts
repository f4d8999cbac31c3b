import * as t from 'io-ts';
import { command, nullable, query } from '../../sql/statement.ts';

const evidence = t.type({ no: t.number, body: t.string });
const byName = { name: t.string };
const body = t.type({ body: t.string });

/** Bank lines and transfers, decisions on them, and what was imported at all. */
export const evidenceStatements = {
  byName: query('SELECT no, body FROM match_evidence WHERE name = :name', byName, evidence),
  byNo: query(
    'SELECT name, body FROM match_evidence WHERE no = :no',
    { no: t.number },
    t.type({ name: t.string, body: t.string }),
  ),
  insert: query(
    'INSERT INTO match_evidence (name, body) VALUES (:name, :body) RETURNING no',
    { ...byName, body: t.string },
    t.type({ no: t.number }),
  ),
  update: command('UPDATE match_evidence SET body = :body WHERE no = :no', { no: t.number, body: t.string }),
  names: query('SELECT name FROM match_evidence ORDER BY no', {}, t.type({ name: t.string })),
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

const item = {
  item_id: t.string,
  day: t.string,
  state: t.string,
  rule: nullable(t.string),
  flow: nullable(t.string),
  currency: nullable(t.string),
  body: t.string,
};
const shown = t.type({ item_id: t.string, day: t.string, body: t.string });
/** The place behind which a list goes on, and the last day of it. */
const behind = { day: t.string, item_id: t.string, last_day: t.string, most: t.number };
const BEHIND = '(day, item_id) > (:day, :item_id) AND day <= :last_day ORDER BY day, item_id LIMIT :most';
const awaited = { no: t.number, class: t.number, day: t.string, fiat: t.string };

/** Items of the match: those of several, or of a line or transfer, in rows of their own; an order by itself in less. */
export const itemStatements = {
  put: command(
    `INSERT INTO match_items (item_id, day, state, rule, flow, currency, body)
       VALUES (:item_id, :day, :state, :rule, :flow, :currency, :body)`,
    item,
  ),
  remove: command('DELETE FROM match_items WHERE item_id = :item_id', { item_id: t.string }),
  get: query('SELECT item_id, day, body FROM match_items WHERE item_id = :item_id', { item_id: t.string }, shown),
  place: command('INSERT INTO match_members (name, item_id) VALUES (:name, :item_id)', {
    ...byName,
    item_id: t.string,
  }),
  displace: command('DELETE FROM match_members WHERE name = :name', byName),
  itemWith: query('SELECT item_id FROM match_members WHERE name = :name', byName, t.type({ item_id: t.string })),
  addBreak: command(
    'INSERT INTO match_breaks (code, day, item_id) VALUES (:code, :day, :item_id) ON CONFLICT DO NOTHING',
    { code: t.string, day: t.string, item_id: t.string },
  ),
  removeBreak: command('DELETE FROM match_breaks WHERE code = :code AND day = :day AND item_id = :item_id', {
    code: t.string,
    day: t.string,
    item_id: t.string,
  }),
  all: query(`SELECT item_id, day, body FROM match_items WHERE ${BEHIND}`, behind, shown),
  ofState: query(
    `SELECT item_id, day, body FROM match_items WHERE state = :state AND ${BEHIND}`,
    { state: t.string, ...behind },
    shown,
  ),
  ofRule: query(
    `SELECT item_id, day, body FROM match_items WHERE rule = :rule AND ${BEHIND}`,
    { rule: t.string, ...behind },
    shown,
  ),
  ofBreak: query(
    `SELECT i.item_id, i.day, i.body FROM match_breaks b JOIN match_items i ON i.item_id = b.item_id
       WHERE b.code = :code AND (b.day, b.item_id) > (:day, :item_id) AND b.day <= :last_day ORDER BY b.day, b.item_id LIMIT :most`,
    { code: t.string, ...behind },
    shown,
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
  classes: query('SELECT id, class FROM match_classes', {}, t.type({ id: t.number, class: t.string })),
  classOf: query('SELECT id FROM match_classes WHERE class = :class', { class: t.string }, t.type({ id: t.number })),
  addClass: query(
    'INSERT INTO match_classes (class) VALUES (:class) RETURNING id',
    { class: t.string },
    t.type({ id: t.number }),
  ),
};
