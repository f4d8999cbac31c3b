import type Database from 'better-sqlite3';
import type { Instant } from '../../../domain/instant.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { sortable } from '../../order-row.ts';
import { orderTallies, type OrderTallies } from '../../order-tallies.ts';
import { orderStatements } from '../../statements/order-statements.ts';
import { FacetTable } from './facet-table.ts';

/**
 * Counts orders without looking at them: each facet knows how many there are. Of those that the clock makes anomalous
 * only the ones whose time has yet to come are counted, by an index: hours' worth, however many orders there are.
 */
export class TallyQuery {
  readonly #facets: FacetTable;
  readonly #sql: SqliteStatements;

  constructor(database: Database.Database) {
    this.#facets = new FacetTable(database);
    this.#sql = new SqliteStatements(database);
  }

  tallies(now: Instant): OrderTallies {
    const at = sortable(now);
    const notYetDue = (facet: number): number => this.#sql.one(orderStatements.countNotYetDue, { facet, at }).orders;
    return orderTallies(
      this.#facets
        .all()
        .map(({ id, facet, orders }) => ({ facet, orders, due: facet.clock === null ? 0 : orders - notYetDue(id) })),
    );
  }
}
