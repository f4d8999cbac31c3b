import type Database from 'better-sqlite3';
import { marksIn } from '../../src/read-models/audit-chunk.ts';
import { TermIndex } from '../../src/read-models/sqlite/terms/term-index.ts';
import type { TermKind } from '../../src/read-models/sqlite/terms/term-statements.ts';

/** Every row of a query, its columns in their order. */
const rows = (database: Database.Database, sql: string): readonly unknown[] => database.prepare(sql).raw().all();

const entriesOf = (database: Database.Database, kind: TermKind): readonly (readonly [number, number])[] => {
  const entries: (readonly [number, number])[] = [];
  new TermIndex(database, kind).inspect((term, _rank, ref) => entries.push([term, ref]));
  return entries.toSorted(([a, ofA], [b, ofB]) => (a === b ? ofA - ofB : a - b));
};

/** What each entry of the index of order ids leads to. */
const orderIds = (database: Database.Database): readonly (readonly [number, unknown])[] => {
  const idOf = database.prepare('SELECT order_id FROM orders WHERE no = ?').pluck();
  return entriesOf(database, 'id').map(([term, no]) => [term, idOf.get(no)]);
};

/**
 * All that a generation holds, but for numbers that it hands out itself, for what is empty, and for the index of what
 * orders are searched by, which keeps what was true once.
 */
export const contentOf = (database: Database.Database): unknown => ({
  checkpoint: rows(database, 'SELECT position, at, event_id, events FROM checkpoint'),
  facets: rows(database, 'SELECT facet, orders, settled FROM facets WHERE orders <> 0 ORDER BY facet'),
  ids: orderIds(database),
  eventTerms: entriesOf(database, 'audit'),
  orders: rows(
    database,
    `SELECT order_id, f.facet, created_at, created_day, settled_day, clock_after, state, other_utrs
       FROM orders JOIN facets f ON f.id = orders.facet ORDER BY order_id`,
  ),
  items: rows(
    database,
    `SELECT i.item_id, i.day, l.list, i.body FROM match_items i JOIN match_lists l ON l.id = i.list ORDER BY i.item_id`,
  ),
  placed: rows(
    database,
    `SELECT o.order_id, i.item_id FROM match_placed p
       JOIN orders o ON o.no = p.no JOIN match_items i ON i.no = p.item ORDER BY o.order_id`,
  ),
  evidence: rows(
    database,
    `SELECT e.file, e.idx, e.transfer_id, e.own, i.item_id FROM match_evidence e
       JOIN match_items i ON i.no = e.item ORDER BY e.file, e.idx, e.transfer_id`,
  ),
  awaited: rows(
    database,
    `SELECT o.order_id, c.class, a.day, a.fiat FROM match_awaited a
       JOIN orders o ON o.no = a.no JOIN match_classes c ON c.id = a.class ORDER BY o.order_id`,
  ),
  matchCells: rows(
    database,
    `SELECT c.class, m.day, m.items, m.fiat FROM match_cells m
       JOIN match_classes c ON c.id = m.class ORDER BY c.class, m.day`,
  ),
  days: rows(database, 'SELECT day, orders FROM settled_days WHERE orders <> 0 ORDER BY day'),
  cells: rows(
    database,
    `SELECT flow, basis, grain, period, f.facet, c.orders, fiat, c.settled
       FROM cells c JOIN facets f ON f.id = c.facet ORDER BY flow, basis, grain, period, f.facet`,
  ),
  trail: database
    .prepare<[], { marks: Uint8Array; types: string }>('SELECT marks, types FROM audit_chunks ORDER BY first_position')
    .all()
    .flatMap((chunk) => marksIn(chunk)),
  quarantine: rows(
    database,
    'SELECT position, event_id, stream, order_id, utr, quarantined, released_as FROM quarantine ORDER BY position',
  ),
});
