import * as t from 'io-ts';
import { bytes, command, query } from '../../sql/statement.ts';

const chunk = {
  first_position: t.number,
  last_position: t.number,
  received_from: t.number,
  received_to: t.number,
  types: t.string,
  marks: bytes,
};
const row = t.type(chunk);

const CHUNKS = 'SELECT first_position, last_position, received_from, received_to, types, marks FROM audit_chunks';

/** Runs of events in the order of positions. */
export const auditStatements = {
  last: query(`${CHUNKS} ORDER BY first_position DESC LIMIT 1`, {}, row),
  put: command(
    `INSERT INTO audit_chunks (first_position, last_position, received_from, received_to, types, marks)
       VALUES (:first_position, :last_position, :received_from, :received_to, :types, :marks)
       ON CONFLICT (first_position) DO UPDATE
       SET last_position = excluded.last_position, received_from = excluded.received_from,
           received_to = excluded.received_to, types = excluded.types, marks = excluded.marks`,
    chunk,
  ),
  /** The chunk that may hold a position. */
  with: query(
    `${CHUNKS} WHERE first_position <= :position ORDER BY first_position DESC LIMIT 1`,
    { position: t.number },
    row,
  ),
  at: query(`${CHUNKS} WHERE first_position = :first_position`, { first_position: t.number }, row),
  /** Those from a chunk on, without their marks, which are nine tenths of a row. */
  headsFrom: query(
    `SELECT first_position, received_from, received_to, types FROM audit_chunks
       WHERE first_position >= :first_position ORDER BY first_position`,
    { first_position: t.number },
    t.type({ first_position: t.number, received_from: t.number, received_to: t.number, types: t.string }),
  ),
  /** Chunks that begin at a position or before it. */
  upTo: query(`${CHUNKS} WHERE first_position <= :last ORDER BY first_position`, { last: t.number }, row),
};
