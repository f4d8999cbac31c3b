import type Database from 'better-sqlite3';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { OrderCounts } from '../../order-counts.ts';
import { orderStatements } from '../../statements/order-statements.ts';
import type { RightRows } from './verify-orders.ts';
import type { StepVerdict } from './verify-steps.ts';
import { areSums } from './verify-sums.ts';

/** Another number after each commit of another connection. */
const dataVersion = (database: Database.Database): number => Number(database.pragma('data_version', { simple: true }));

/**
 * Proves counts and sums of a generation by the fold that its rows and steps were held to, where nothing has changed
 * between the first row and the last: then none of its orders has to be read once more.
 */
export class UnchangedSums {
  readonly #database: Database.Database;
  readonly #version: number;

  /** Before the first row is looked at. The log is folded as far as the generation is. */
  constructor(database: Database.Database) {
    this.#database = database;
    this.#version = dataVersion(database);
  }

  /**
   * Whether they are right. Where not, something differs, or has changed meanwhile: it is told by reading all orders.
   *
   * @param steps of the whole log
   * @param rows that were found to be what the same fold comes to, each in one of them
   */
  areRight({ failures, sums, isWhole }: StepVerdict, rows: readonly RightRows[]): boolean {
    if (failures.length > 0 || !isWhole) return false;
    const counts = new OrderCounts();
    for (const right of rows) counts.addAll(right.counts);
    const read = (): boolean => {
      if (dataVersion(this.#database) !== this.#version) return false;
      const { orders } = new SqliteStatements(this.#database).one(orderStatements.allRows, {});
      return orders === rows.reduce((sum, right) => sum + right.rows, 0) && areSums(this.#database, { counts, sums });
    };
    return this.#database.transaction(read).deferred();
  }
}
