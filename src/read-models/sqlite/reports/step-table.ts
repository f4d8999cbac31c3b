import type Database from 'better-sqlite3';
import { measuresEq, measuresGroup, type Measures, type ReportCell } from '../../../../projections/report/index.ts';
import type { Position } from '../../../domain/ids.ts';
import { positionAt, positionNumber } from '../../../domain/position.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { fewestBeside, USUAL_STEPS, type LogStep, type StepSizes } from '../../log-steps.ts';
import type { ReportQuestion } from '../../read-models.ts';
import { stepCellRows, stepStatements, type StepCellRow } from '../../statements/step-statements.ts';
import { readMeasures, storedMeasures } from '../../stored-measures.ts';
import { FacetTable } from './facet-table.ts';
import { inKeyOrder } from './key-order.ts';

/** What a sum of a step is of. `facet`: its number. */
type StepCell = {
  readonly flow: string;
  readonly basis: string;
  readonly step: number;
  readonly day: string;
  readonly facet: number;
};

/** What a sum of a step changed by. */
export type StepChange = { readonly cell: StepCell; readonly measures: Measures };

/** Sorts behind every day. */
const LAST_DAY = '~';

type Row = { readonly no: number; readonly up_to: number; readonly events: number };

const stepOf = ({ no, up_to, events }: Row): LogStep => ({ no, upTo: positionAt(up_to), events });

/** The steps of the log, and what reports changed by in each. */
export class StepTable {
  readonly #sql: SqliteStatements;
  readonly #facets: FacetTable;
  readonly #sizes: StepSizes;

  constructor(database: Database.Database, sizes = USUAL_STEPS) {
    this.#sql = new SqliteStatements(database);
    this.#facets = new FacetTable(database);
    this.#sizes = sizes;
  }

  /** All of them, in their order. */
  all(): readonly LogStep[] {
    return this.#sql.all(stepStatements.all, {}).map(stepOf);
  }

  /** Puts events that follow the last ones into a step, and answers its number: the last one, or a new one where that is full. */
  advance(upTo: Position, events: number): number {
    const last = this.#sql.get(stepStatements.last, {});
    const isFull = last === undefined || last.events >= this.#sizes.events;
    const no = isFull ? (last?.no ?? 0) + 1 : last.no;
    this.extend({ no, upTo, events });
    if (isFull) this.#joinSome(no);
    return no;
  }

  /** Adds events to a step, which is made where it is not there. */
  extend({ no, upTo, events }: LogStep): void {
    this.#sql.run(stepStatements.extend, { no, up_to: positionNumber(upTo), events });
  }

  /** Puts what reports changed by in a step that nothing is kept of yet. */
  putAll(changes: Iterable<StepChange>): void {
    const sorted = inKeyOrder(
      changes,
      ({ cell: { flow, basis, day } }) => `${flow} ${basis} ${day}`,
      ({ cell: { facet } }) => facet,
    );
    const rows = Array.from(sorted, ({ cell: { flow, basis, step, day, facet }, measures }): StepCellRow => {
      const { orders, fiat, settled } = storedMeasures(measures);
      return [flow, basis, step, day, facet, orders, fiat, settled];
    });
    this.#sql.put(stepCellRows, rows);
  }

  /** Adds to what reports changed by; what comes to nothing leaves no row. */
  add(cell: StepCell, measures: Measures): void {
    const there = this.#sql.get(stepStatements.get, cell);
    const sum = there === undefined ? measures : measuresGroup.concat(readMeasures(there), measures);
    if (measuresEq.equals(sum, measuresGroup.empty)) this.#sql.run(stepStatements.removeCell, cell);
    else this.#sql.run(stepStatements.put, { ...cell, ...storedMeasures(sum) });
  }

  /** What the cells of a report changed by in the steps of these numbers, both inclusive. */
  *cells({ flow, basis, from, to }: ReportQuestion, first: number, last: number): Generator<ReportCell> {
    const days = { from: from ?? '', to: to ?? LAST_DAY };
    for (const row of this.#sql.iterate(stepStatements.cells, { flow, basis, first, last, ...days })) {
      const facet = this.#facets.facetOf(row.facet);
      if (facet !== null) yield { period: row.day, facet, measures: readMeasures(row) };
    }
  }

  /** Joins two of the steps before one where there are too many. */
  #joinSome(newest: number): void {
    const steps = this.all();
    if (steps.length <= this.#sizes.most) return;
    const pair = fewestBeside(steps.filter(({ no }) => no !== newest));
    if (pair === null) return;
    const { first, second } = pair;
    for (const { flow, basis, day, facet, ...row } of this.#sql.all(stepStatements.ofStep, { step: second.no }))
      this.add({ flow, basis, step: first.no, day, facet }, readMeasures(row));
    this.#sql.run(stepStatements.removeCells, { step: second.no });
    this.#sql.run(stepStatements.remove, { no: second.no });
    this.extend({ ...second, no: first.no });
  }
}
