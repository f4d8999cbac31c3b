import type Database from 'better-sqlite3';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import { orderStatements, type WholeOrderRow } from '../statements/order-statements.ts';
import { termOf } from './term.ts';
import { TermIndex } from './term-index.ts';

/** Finds orders by their id: a few candidates of an index of digests, of which one has the id. */
export class OrderNumbers {
  readonly #sql: SqliteStatements;
  readonly #ids: TermIndex;

  constructor(database: Database.Database, ids = new TermIndex(database, 'id')) {
    this.#sql = new SqliteStatements(database);
    this.#ids = ids;
  }

  /** The row of an order; null where there is none of this id. */
  row(orderId: string): WholeOrderRow | null {
    for (const no of this.#ids.refs(termOf(orderId))) {
      const row = this.#sql.get(orderStatements.byNo, { no });
      if (row?.order_id === orderId) return row;
    }
    return null;
  }

  numberOf(orderId: string): number | null {
    return this.row(orderId)?.no ?? null;
  }
}
