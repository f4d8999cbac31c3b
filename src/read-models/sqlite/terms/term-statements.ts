import * as t from 'io-ts';
import { bytes, command, nullable, query } from '../../../sql/statement.ts';

/** What is found by terms: orders by what they are searched by, orders by their id, events, what the match joins, its items by their id. */
export type TermKind = 'order' | 'id' | 'audit' | 'match' | 'item';

const range = { first: t.number, last: t.number };

/** Sorted runs of entries: see TermIndex. */
export const termStatements = {
  /** The newest first. */
  runs: query(
    'SELECT no, size FROM term_runs WHERE kind = :kind ORDER BY no DESC',
    { kind: t.string },
    t.type({ no: t.number, size: t.number }),
  ),
  addRun: query(
    'INSERT INTO term_runs (kind, size) VALUES (:kind, :size) RETURNING no',
    { kind: t.string, size: t.number },
    t.type({ no: t.number }),
  ),
  /** Runs go only where one is added that holds what they had: as long as this is the newest one, all are as they were. */
  newest: query('SELECT max(no) AS no FROM term_runs', {}, t.type({ no: nullable(t.number) })),
  removeRun: command('DELETE FROM term_runs WHERE no = :no', { no: t.number }),
  addBlock: command('INSERT INTO term_blocks (no, entries) VALUES (:no, :entries)', { no: t.number, entries: bytes }),
  block: query('SELECT entries FROM term_blocks WHERE no = :no', { no: t.number }, t.type({ entries: bytes })),
  blocks: query(
    'SELECT no, entries FROM term_blocks WHERE no >= :first AND no <= :last ORDER BY no',
    range,
    t.type({ no: t.number, entries: bytes }),
  ),
  removeBlocks: command('DELETE FROM term_blocks WHERE no >= :first AND no <= :last', range),
};
