import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { Instant } from '../../domain/instant.ts';
import { sortable } from '../order-row.ts';
import { orderTallies, type OrderTallies } from '../order-tallies.ts';
import { FacetTable } from './facet-table.ts';
import { sqlite } from './tables.ts';

/**
 * Counts orders without looking at them: each facet knows how many there are. Of those that the clock makes anomalous
 * only the ones whose time has yet to come are counted, by an index: hours' worth, however many orders there are.
 */
export class TallyQuery {
  readonly #facets: FacetTable;
  readonly #notYetDue: Database.Statement<[number, string], number>;

  constructor(database: Database.Database) {
    this.#facets = new FacetTable(database);
    this.#notYetDue = database
      .prepare<[number, string], number>(
        sqlite
          .selectFrom('orders')
          .select(sql<number>`count(*)`.as('orders'))
          .where('facet', '=', 0)
          .where('clock_after', '>=', '')
          .compile().sql,
      )
      .pluck();
  }

  tallies(now: Instant): OrderTallies {
    const at = sortable(now);
    return orderTallies(
      this.#facets.all().map(({ id, facet, orders }) => ({
        facet,
        orders,
        due: facet.clock === null ? 0 : orders - (this.#notYetDue.get(id, at) ?? 0),
      })),
    );
  }
}
