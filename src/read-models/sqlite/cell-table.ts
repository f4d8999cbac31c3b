import type Database from 'better-sqlite3';
import { measuresEq, measuresGroup } from '../../../projections/report/index.ts';
import type { Flow } from '../../domain/flow.ts';
import type { CellSum } from '../cell-sums.ts';
import { readMeasures, storedMeasures, type StoredMeasures } from '../stored-measures.ts';
import { sqlite } from './tables.ts';

type Key = [flow: string, basis: string, grain: string, period: string, facet: number];

/** The sums that reports are made of. */
export class CellTable {
  readonly #get: Database.Statement<Key, StoredMeasures>;
  readonly #put: Database.Statement<[...Key, number, string, string | null]>;
  readonly #remove: Database.Statement<Key>;

  constructor(database: Database.Database) {
    const row = { flow: '', basis: '', grain: '', period: '', facet: 0, orders: 0, fiat: '', settled: null };
    this.#get = database.prepare(
      sqlite
        .selectFrom('cells')
        .select(['orders', 'fiat', 'settled'])
        .where('flow', '=', '')
        .where('basis', '=', '')
        .where('grain', '=', '')
        .where('period', '=', '')
        .where('facet', '=', 0)
        .compile().sql,
    );
    this.#put = database.prepare(
      sqlite
        .insertInto('cells')
        .values(row)
        .onConflict((it) =>
          it.columns(['flow', 'basis', 'grain', 'period', 'facet']).doUpdateSet((set) => ({
            orders: set.ref('excluded.orders'),
            fiat: set.ref('excluded.fiat'),
            settled: set.ref('excluded.settled'),
          })),
        )
        .compile().sql,
    );
    this.#remove = database.prepare(
      sqlite
        .deleteFrom('cells')
        .where('flow', '=', '')
        .where('basis', '=', '')
        .where('grain', '=', '')
        .where('period', '=', '')
        .where('facet', '=', 0)
        .compile().sql,
    );
  }

  /** Adds a sum to what is there; one that comes to nothing leaves no row. */
  add({ basis, grain, period, measures }: CellSum, flow: Flow, facet: number): void {
    const key: Key = [flow, basis, grain, period, facet];
    const there = this.#get.get(...key);
    const sum = there === undefined ? measures : measuresGroup.concat(readMeasures(there), measures);
    if (measuresEq.equals(sum, measuresGroup.empty)) {
      this.#remove.run(...key);
      return;
    }
    const { orders, fiat, settled } = storedMeasures(sum);
    this.#put.run(...key, orders, fiat, settled);
  }
}
