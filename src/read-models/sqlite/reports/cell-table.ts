import type Database from 'better-sqlite3';
import { measuresEq, measuresGroup } from '../../../../projections/report/index.ts';
import type { Flow } from '../../../domain/flow.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import type { CellSum } from '../../cell-sums.ts';
import { cellRows, cellStatements, type CellRow } from '../../statements/cell-statements.ts';
import { readMeasures, storedMeasures } from '../../stored-measures.ts';
import { inKeyOrder } from './key-order.ts';

/** Rows that are put at a time. */
const AT_ONCE = 1_024;

/** A sum of a class. `facet`: its number. */
export type NumberedSum = { readonly sum: CellSum; readonly flow: Flow; readonly facet: number };

/** The sums that reports are made of. */
export class CellTable {
  readonly #sql: SqliteStatements;

  constructor(database: Database.Database) {
    this.#sql = new SqliteStatements(database);
  }

  /** Puts sums where there are none yet. */
  putAll(sums: Iterable<NumberedSum>): void {
    const sorted = inKeyOrder(
      sums,
      ({ sum: { basis, grain, period }, flow }) => `${flow} ${basis} ${grain} ${period}`,
      ({ facet }) => facet,
    );
    let rows: CellRow[] = [];
    for (const { sum, flow, facet } of sorted) {
      const { orders, fiat, settled } = storedMeasures(sum.measures);
      rows.push([flow, sum.basis, sum.grain, sum.period, facet, orders, fiat, settled]);
      if (rows.length < AT_ONCE) continue;
      this.#sql.put(cellRows, rows);
      rows = [];
    }
    this.#sql.put(cellRows, rows);
  }

  /** Adds a sum to what is there; one that comes to nothing leaves no row. */
  add({ basis, grain, period, measures }: CellSum, flow: Flow, facet: number): void {
    const key = { flow, basis, grain, period, facet };
    const there = this.#sql.get(cellStatements.get, key);
    const sum = there === undefined ? measures : measuresGroup.concat(readMeasures(there), measures);
    if (measuresEq.equals(sum, measuresGroup.empty)) this.#sql.run(cellStatements.remove, key);
    else this.#sql.run(cellStatements.put, { ...key, ...storedMeasures(sum) });
  }
}
