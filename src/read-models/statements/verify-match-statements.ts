import * as t from 'io-ts';
import { nullable, query } from '../../sql/statement.ts';
import { stateColumns } from './order-statements.ts';

const most = { most: t.number };
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
  lineCount: query(
    'SELECT count(*) AS lines FROM statement_lines WHERE statement_id = :statement_id AND reading = :reading',
    { statement_id: t.string, reading: t.string },
    t.type({ lines: t.number }),
  ),
  /** A line as each file has it that was brought in, or that part of a large file. */
  broughtLines: query(
    `SELECT l.line, s.position FROM statement_lines l JOIN statements s ON s.statement_id = l.statement_id AND s.reading = l.reading
       WHERE l.line_id = :line_id
         AND NOT EXISTS (SELECT 1 FROM match_due d WHERE d.statement_id = l.statement_id AND d.after < l.idx)
       ORDER BY s.position`,
    { line_id: t.string },
    t.type({ line: t.string, position: t.number }),
  ),
  evidence: query(
    'SELECT no, file, idx, transfer_id, own, further, item FROM match_evidence WHERE no > :no ORDER BY no LIMIT :most',
    page,
    t.type({
      no: t.number,
      file: nullable(t.number),
      idx: nullable(t.number),
      transfer_id: nullable(t.string),
      own: nullable(t.string),
      further: nullable(t.string),
      item: nullable(t.number),
    }),
  ),
  /** Days that files speak of, each of one file. */
  covers: query(
    'SELECT statement_id, currency, first_day, last_day FROM match_cover',
    {},
    t.type({ statement_id: t.string, currency: t.string, first_day: t.string, last_day: t.string }),
  ),
  /** Parts of files that are still brought in, of no file that there is, or of one of other lines. */
  strayDue: query(
    `SELECT d.statement_id FROM match_due d LEFT JOIN statements s ON s.position = d.position AND s.statement_id = d.statement_id
       WHERE s.position IS NULL OR d.after < -1 OR d.after >= d.lines OR d.lines <> (
         SELECT count(*) FROM statement_lines l WHERE l.statement_id = s.statement_id AND l.reading = s.reading)`,
    {},
    t.type({ statement_id: t.string }),
  ),
  decisions: query('SELECT item_id, body FROM match_decisions', {}, t.type({ item_id: t.string, body: t.string })),
  decided: query('SELECT name, item_id FROM match_decided', {}, t.type({ name: t.string, item_id: t.string })),
  /** Large files that are still brought in: lines up to `after` are there. */
  due: query('SELECT statement_id, after FROM match_due', {}, t.type({ statement_id: t.string, after: t.number })),
  /** Where lines of a file stand, and their ids, as their rows say. */
  fileLines: query(
    `SELECT l.idx, l.line_id FROM statements s JOIN statement_lines l ON l.statement_id = s.statement_id AND l.reading = s.reading
       WHERE s.statement_id = :statement_id AND l.idx > :idx ORDER BY l.idx LIMIT :most`,
    { statement_id: t.string, idx: t.number, ...most },
    t.type({ idx: t.number, line_id: t.string }),
  ),
  transfers: query(
    'SELECT position, transfer_id FROM transfers WHERE position > :position ORDER BY position LIMIT :most',
    { position: t.number, ...most },
    t.type({ position: t.number, transfer_id: t.string }),
  ),
  files: query('SELECT statement_id FROM statements', {}, t.type({ statement_id: t.string })),
  seenChains: query(
    'SELECT DISTINCT CAST(chain_id AS TEXT) AS chain_id FROM transfers',
    {},
    t.type({ chain_id: t.string }),
  ),
  items: query(
    'SELECT no, item_id, day, list, evidence, body FROM match_items WHERE no > :no ORDER BY no LIMIT :most',
    page,
    t.type({ no: t.number, item_id: t.string, day: t.string, list: t.number, evidence: t.string, body: t.string }),
  ),
  sizes: query(
    `SELECT (SELECT count(*) FROM match_placed) + (SELECT count(*) FROM match_evidence WHERE item IS NOT NULL) AS members,
       (SELECT count(*) FROM match_awaited) AS awaited`,
    {},
    t.type({ members: t.number, awaited: t.number }),
  ),
  orders: query(
    'SELECT no, order_id, created_at, clock_after, state FROM orders WHERE no > :no ORDER BY no LIMIT :most',
    page,
    t.type({ no: t.number, ...stateColumns }),
  ),
  allCells: query(
    'SELECT class, day, items, fiat FROM match_cells',
    {},
    t.type({ class: t.number, day: t.string, items: t.number, fiat: t.string }),
  ),
};
