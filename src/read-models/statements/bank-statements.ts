import * as t from 'io-ts';
import { command, nullable, query } from '../../sql/statement.ts';

const statementRow = t.type({ position: t.number, statement: t.string, noted: t.string });
const lineRow = t.type({ line: t.string });
const transferRow = t.type({ position: t.number, transfer: t.string });

const STATEMENTS = 'SELECT position, statement, noted FROM statements';

/** Bank files, their lines, and transfers on chain. */
export const bankStatements = {
  insertLine: command(
    `INSERT INTO statement_lines (statement_id, reading, idx, line_id, account, booked_on, line)
       VALUES (:statement_id, :reading, :idx, :line_id, :account, :booked_on, :line)
       ON CONFLICT DO NOTHING`,
    {
      statement_id: t.string,
      reading: t.string,
      idx: t.number,
      line_id: t.string,
      account: t.string,
      booked_on: t.string,
      line: t.string,
    },
  ),
  insertStatement: command(
    `INSERT INTO statements (position, statement_id, reading, statement, noted)
       VALUES (:position, :statement_id, :reading, :statement, :noted)
       ON CONFLICT DO NOTHING`,
    { position: t.number, statement_id: t.string, reading: t.string, statement: t.string, noted: t.string },
  ),
  page: query(
    `${STATEMENTS} WHERE position > :after ORDER BY position LIMIT :most`,
    { after: t.number, most: t.number },
    statementRow,
  ),
  newest: query(
    `${STATEMENTS} WHERE position < :before ORDER BY position DESC LIMIT :most`,
    { before: t.number, most: t.number },
    statementRow,
  ),
  byId: query(`${STATEMENTS} WHERE statement_id = :statement_id`, { statement_id: t.string }, statementRow),
  /** By the whole key, so that a page of a large file reads no line before it. */
  lines: query(
    `SELECT l.line FROM statements s JOIN statement_lines l ON l.statement_id = s.statement_id AND l.reading = s.reading
       WHERE s.statement_id = :statement_id AND l.idx > :after ORDER BY l.idx LIMIT :most`,
    { statement_id: t.string, after: t.number, most: t.number },
    lineRow,
  ),
  isKnown: query(
    `SELECT l.line_id FROM statement_lines l JOIN statements s ON s.statement_id = l.statement_id AND s.reading = l.reading
       WHERE l.line_id = :line_id LIMIT 1`,
    { line_id: t.string },
    t.type({ line_id: t.string }),
  ),
  filesOfLine: query(
    `SELECT DISTINCT l.statement_id FROM statement_lines l
       JOIN statements s ON s.statement_id = l.statement_id AND s.reading = l.reading
       WHERE l.line_id = :line_id ORDER BY l.statement_id`,
    { line_id: t.string },
    t.type({ statement_id: t.string }),
  ),
  transfer: query(
    'SELECT position, transfer, event_id, observed_at, chain_id, hash_key FROM transfers WHERE transfer_id = :transfer_id',
    { transfer_id: t.string },
    t.type({
      position: t.number,
      transfer: t.string,
      event_id: t.string,
      observed_at: t.string,
      chain_id: t.number,
      hash_key: t.string,
    }),
  ),
  putTransfer: command(
    `INSERT INTO transfers (transfer_id, position, chain_id, hash_key, observed_at, event_id, transfer)
       VALUES (:transfer_id, :position, :chain_id, :hash_key, :observed_at, :event_id, :transfer)
       ON CONFLICT (transfer_id) DO UPDATE SET position = :position, observed_at = :observed_at, event_id = :event_id,
         transfer = :transfer`,
    {
      transfer_id: t.string,
      position: t.number,
      chain_id: t.number,
      hash_key: t.string,
      observed_at: t.string,
      event_id: t.string,
      transfer: t.string,
    },
  ),
  transfers: query(
    `SELECT position, transfer FROM transfers
       WHERE position > :after AND (:chain_id IS NULL OR chain_id = :chain_id) ORDER BY position LIMIT :most`,
    { after: t.number, chain_id: nullable(t.number), most: t.number },
    transferRow,
  ),
  transfersOfHash: query(
    `SELECT position, transfer FROM transfers
       WHERE hash_key = :hash_key AND position > :after AND (:chain_id IS NULL OR chain_id = :chain_id)
       ORDER BY position LIMIT :most`,
    { hash_key: t.string, after: t.number, chain_id: nullable(t.number), most: t.number },
    transferRow,
  ),
};
