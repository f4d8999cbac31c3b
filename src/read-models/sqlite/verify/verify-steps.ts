import type Database from 'better-sqlite3';
import { addTo, measuresEq, measuresGroup, type Measures, type SumsBy } from '../../../../projections/report/index.ts';
import type { Position } from '../../../domain/ids.ts';
import { comparePositions, positionAt, PositionText } from '../../../domain/position.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { CellSums } from '../../cell-sums.ts';
import { unpackedDays } from '../../packed-days.ts';
import type { FoldedSteps } from '../../step-fold.ts';
import { stepStatements } from '../../statements/step-statements.ts';
import { readFacet } from '../../stored-facet.ts';
import { readMeasures } from '../../stored-measures.ts';
import { StepSums } from '../../step-sums.ts';
import type { ReadModelFailure } from '../../verification.ts';
import { FacetTable } from '../reports/facet-table.ts';
import { cellName, reportDiffers } from './report-difference.ts';

const isNothing = (measures: Measures): boolean => measuresEq.equals(measures, measuresGroup.empty);

/** Takes what is stored out of what is expected; equal sums, which nearly all are, need no subtraction. */
const takeOut = (expected: SumsBy<string>, name: string, stored: Measures): void => {
  const sum = expected.get(name);
  if (sum !== undefined && measuresEq.equals(sum, stored)) expected.delete(name);
  else addTo(expected, name, measuresGroup.inverse(stored));
};

/** What steps of a generation and a fresh fold of the log differ in. */
export type StepVerdict = {
  readonly failures: readonly ReadModelFailure[];
  /** What reports come to at the last end. */
  readonly sums: CellSums;
  /** Whether all sums of steps that there are were held to the log: none is of a step that goes on or is not there. */
  readonly isWhole: boolean;
};

/**
 * Holds the steps of a generation to a fresh fold of the log, which is handed over piece by piece. Steps that end behind
 * what is folded are left out, and one that grows while the ledger goes on.
 */
export class StepVerification {
  /** The ends that the log is folded for, in their order. */
  readonly ends: readonly Position[];
  readonly #database: Database.Database;
  readonly #events = new Map<number, number>();
  readonly #sums = new StepSums();

  /**
   * @param database a generation that serves or did so until a moment ago
   * @param upTo how far the log is folded
   */
  constructor(database: Database.Database, upTo: Position) {
    this.#database = database;
    this.ends = new SqliteStatements(database)
      .all(stepStatements.all, {})
      .map((step) => positionAt(step.up_to))
      // An end that is none is named as soon as the steps are looked at.
      .filter(PositionText.is)
      .filter((end) => comparePositions(end, upTo) <= 0)
      .toSorted(comparePositions);
  }

  /** Adds what some streams of the log come to. */
  add({ events, sums }: FoldedSteps): void {
    for (const [step, count] of events) this.#events.set(step, (this.#events.get(step) ?? 0) + count);
    for (const days of sums) {
      const step = this.#sums.of(days.step);
      for (const sum of unpackedDays(days)) step.addDay(sum);
    }
  }

  /** What differs, once the whole log was added; nothing of it is left behind. */
  verdict(): StepVerdict {
    return this.#database.transaction(() => this.#verdict()).deferred();
  }

  #verdict(): StepVerdict {
    const sql = new SqliteStatements(this.#database);
    const failures: ReadModelFailure[] = [];
    const differences = new Map<number, SumsBy<string>>();
    /** By a step of the fold, the differences of the step of the generation that it lies in. */
    const folded: SumsBy<string>[] = [];
    const last = this.ends.at(-1);
    // Since the ends were read some steps may have been joined: one then comes to several that were folded.
    for (const { no, up_to, events } of sql.all(stepStatements.all, {})) {
      const upTo = positionAt(up_to);
      if (last === undefined || comparePositions(upTo, last) > 0) break;
      const sums = new Map<string, Measures>();
      differences.set(no, sums);
      let expected = 0;
      for (
        let end = this.ends[folded.length];
        end !== undefined && comparePositions(end, upTo) <= 0;
        end = this.ends[folded.length]
      ) {
        expected += this.#events.get(folded.length) ?? 0;
        folded.push(sums);
      }
      if (events !== expected)
        failures.push(reportDiffers(`step ${String(no)}: ${String(events)} events, expected ${String(expected)}`));
    }
    const sums = this.#added(folded);
    let isWhole = true;
    const facets = new FacetTable(this.#database);
    for (const row of sql.iterate(stepStatements.allCells, {})) {
      const of = differences.get(row.step);
      const name = cellName(row.flow, row.basis, 'day', row.day, facets.keyOf(row.facet) ?? '');
      if (of === undefined) isWhole = false;
      else takeOut(of, name, readMeasures(row));
    }
    for (const [no, of] of differences)
      for (const [name, measures] of of)
        if (!isNothing(measures)) failures.push(reportDiffers(`step ${String(no)} of cell ${name}`));
    return { failures, sums, isWhole };
  }

  /** Adds the sums of the fold to the steps that they lie in; answers what they come to together. */
  #added(folded: readonly SumsBy<string>[]): CellSums {
    const all = new CellSums();
    const flows = new Map<string, string>();
    const flowOf = (key: string): string => {
      const flow = flows.get(key) ?? readFacet(key)?.flow ?? '';
      flows.set(key, flow);
      return flow;
    };
    for (const [step, sums] of this.#sums.take()) {
      const of = folded[step];
      for (const sum of sums) {
        all.addDay(sum);
        const { facetKey, basis, day, measures } = sum;
        if (of !== undefined) addTo(of, cellName(flowOf(facetKey), basis, 'day', day, facetKey), measures);
      }
    }
    return all;
  }
}
