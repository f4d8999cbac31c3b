import * as t from 'io-ts';
import { nullable, query } from '../../sql/statement.ts';

const most = { most: t.number };
const named = t.type({ name: t.string });
const page = { no: t.number, ...most };

/** What `verify` reads of bank files and of the match: every row of a table, page by page, and what lacks its counterpart. */
export const verifyMatchStatements = {
  /** Nothing was imported, and nobody has decided on anything. */
  isAny: query(
    `SELECT EXISTS (SELECT 1 FROM match_evidence) OR EXISTS (SELECT 1 FROM statements) OR EXISTS (SELECT 1 FROM transfers)
       OR EXISTS (SELECT 1 FROM match_decisions) AS found`,
    {},
    t.type({ found: t.number }),
  ),
  line: query(
    `SELECT line_id, account, booked_on, line FROM statement_lines
       WHERE statement_id = :statement_id AND reading = :reading AND idx = :idx`,
    { statement_id: t.string, reading: t.string, idx: t.number },
    t.type({
      line_id: t.string,
      account: t.string,
      booked_on: t.string,
      line: t.string,
    }),
  ),
  /** A line as each file has it that was brought in, or that part of a large file. */
  broughtLines: query(
    `SELECT l.line FROM statement_lines l JOIN statements s ON s.statement_id = l.statement_id AND s.reading = l.reading
       WHERE l.line_id = :line_id
         AND NOT EXISTS (SELECT 1 FROM match_due d WHERE d.statement_id = l.statement_id AND d.after < l.idx)
       ORDER BY s.position`,
    { line_id: t.string },
    t.type({ line: t.string }),
  ),
  evidence: query(
    'SELECT no, name, body FROM match_evidence WHERE no > :no ORDER BY no LIMIT :most',
    page,
    t.type({ no: t.number, name: t.string, body: t.string }),
  ),
  /** Lines that count, but for those of large files that are still brought in. */
  missingLines: query(
    `SELECT DISTINCT 'line:' || l.line_id AS name
       FROM statements s JOIN statement_lines l ON l.statement_id = s.statement_id AND l.reading = s.reading
       WHERE NOT EXISTS (SELECT 1 FROM match_evidence e WHERE e.name = 'line:' || l.line_id)
         AND NOT EXISTS (SELECT 1 FROM match_due d WHERE d.statement_id = l.statement_id AND d.after < l.idx)
       LIMIT :most`,
    most,
    named,
  ),
  missingTransfers: query(
    `SELECT 'transfer:' || transfer_id AS name FROM transfers t
       WHERE NOT EXISTS (SELECT 1 FROM match_evidence e WHERE e.name = 'transfer:' || t.transfer_id) LIMIT :most`,
    most,
    named,
  ),
  due: query('SELECT statement_id FROM match_due', {}, t.type({ statement_id: t.string })),
  files: query('SELECT statement_id FROM statements', {}, t.type({ statement_id: t.string })),
  seenChains: query(
    'SELECT DISTINCT CAST(chain_id AS TEXT) AS chain_id FROM transfers',
    {},
    t.type({ chain_id: t.string }),
  ),
  unplaced: query(
    `SELECT name FROM match_evidence e
       WHERE NOT EXISTS (SELECT 1 FROM match_members m WHERE m.name = e.name) LIMIT :most`,
    most,
    named,
  ),
  items: query(
    `SELECT item_id, day, state, rule, flow, currency, body FROM match_items
       WHERE item_id > :item_id ORDER BY item_id LIMIT :most`,
    { item_id: t.string, ...most },
    t.type({
      item_id: t.string,
      day: t.string,
      state: t.string,
      rule: nullable(t.string),
      flow: nullable(t.string),
      currency: nullable(t.string),
      body: t.string,
    }),
  ),
  hasBreak: query(
    'SELECT item_id FROM match_breaks WHERE code = :code AND day = :day AND item_id = :item_id',
    { code: t.string, day: t.string, item_id: t.string },
    t.type({ item_id: t.string }),
  ),
  sizes: query(
    `SELECT (SELECT count(*) FROM match_members) AS members, (SELECT count(*) FROM match_breaks) AS breaks,
       (SELECT count(*) FROM match_awaited) AS awaited`,
    {},
    t.type({ members: t.number, breaks: t.number, awaited: t.number }),
  ),
  orders: query(
    'SELECT no, order_id, state FROM orders WHERE no > :no ORDER BY no LIMIT :most',
    page,
    t.type({ no: t.number, order_id: t.string, state: t.string }),
  ),
  allCells: query(
    'SELECT class, day, items, fiat FROM match_cells',
    {},
    t.type({ class: t.number, day: t.string, items: t.number, fiat: t.string }),
  ),
};
