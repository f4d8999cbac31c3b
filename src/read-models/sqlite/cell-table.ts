import type Database from 'better-sqlite3';
import { measuresEq, measuresGroup } from '../../../projections/report/index.ts';
import type { Flow } from '../../domain/flow.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import type { CellSum } from '../cell-sums.ts';
import { cellStatements } from '../statements/cell-statements.ts';
import { readMeasures, storedMeasures } from '../stored-measures.ts';

/** The sums that reports are made of. */
export class CellTable {
  readonly #sql: SqliteStatements;

  constructor(database: Database.Database) {
    this.#sql = new SqliteStatements(database);
  }

  /** Puts a sum where there is none yet. */
  put({ basis, grain, period, measures }: CellSum, flow: Flow, facet: number): void {
    this.#sql.run(cellStatements.put, { flow, basis, grain, period, facet, ...storedMeasures(measures) });
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
