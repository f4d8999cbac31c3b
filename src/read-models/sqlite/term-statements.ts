import * as t from 'io-ts';
import { bytes, command, query } from '../../sql/statement.ts';

const entry = { term: t.number, rank: t.number, ref: t.number };
const block = { segment: t.number, first_term: t.number, first_rank: t.number };
const row = t.type({ no: t.number, first_term: t.number, entries: bytes });

/** The statements of an index of terms: see TermIndex. */
export const termStatements = (name: 'order' | 'audit') => {
  const terms = `${name}_terms`;
  const blocks = `${name}_term_blocks`;
  const ofSegment = `SELECT no, first_term, entries FROM ${blocks} WHERE segment = :segment`;
  return {
    add: command(`INSERT INTO ${terms} (term, rank, ref) VALUES (:term, :rank, :ref) ON CONFLICT DO NOTHING`, entry),
    laterOf: query(
      `SELECT rank, ref FROM ${terms} WHERE term = :term AND (rank, ref) > (:rank, :ref) ORDER BY rank, ref LIMIT :most`,
      { ...entry, most: t.number },
      t.type({ rank: t.number, ref: t.number }),
    ),
    allLater: query(`SELECT term, ref FROM ${terms}`, {}, t.type({ term: t.number, ref: t.number })),
    addBlock: command(
      `INSERT INTO ${blocks} (segment, first_term, first_rank, entries)
         VALUES (:segment, :first_term, :first_rank, :entries)`,
      { ...block, entries: bytes },
    ),
    blockBefore: query(
      `${ofSegment} AND (first_term, first_rank) < (:first_term, :first_rank)
         ORDER BY first_term DESC, first_rank DESC LIMIT 1`,
      block,
      row,
    ),
    firstBlock: query(`${ofSegment} ORDER BY first_term, first_rank LIMIT 1`, { segment: t.number }, row),
    blockAt: query(`${ofSegment} AND no = :no`, { segment: t.number, no: t.number }, row),
    lastSegment: query(`SELECT max(segment) AS last FROM ${blocks}`, {}, t.type({ last: t.union([t.number, t.null]) })),
    allBlocks: query(`SELECT entries FROM ${blocks}`, {}, t.type({ entries: bytes })),
  };
};
