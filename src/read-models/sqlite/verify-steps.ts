import type Database from 'better-sqlite3';
import { addTo, measuresEq, measuresGroup, type Measures, type SumsBy } from '../../../projections/report/index.ts';
import type { Position } from '../../domain/ids.ts';
import { comparePositions, positionAt } from '../../domain/position.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import { unpackedDays } from '../packed-days.ts';
import type { FoldedSteps } from '../step-fold.ts';
import { stepStatements } from '../statements/step-statements.ts';
import { readFacet } from '../stored-facet.ts';
import { readMeasures } from '../stored-measures.ts';
import type { ReadModelFailure } from '../verification.ts';
import { FacetTable } from './facet-table.ts';
import { cellName, reportDiffers } from './report-difference.ts';

const isNothing = (measures: Measures): boolean => measuresEq.equals(measures, measuresGroup.empty);

/**
 * Holds the steps of a generation to a fresh fold of the log, which is handed over piece by piece. The last step is left
 * out: it grows while the ledger goes on, and is what the others and the sums of now leave for it.
 */
export class StepVerification {
  /** The ends that the log is folded for, in their order. */
  readonly ends: readonly Position[];
  readonly #database: Database.Database;
  readonly #events = new Map<number, number>();
  readonly #sums = new Map<number, SumsBy<string>>();

  /**
   * @param database a generation that serves or did so until a moment ago
   * @param upTo how far the log is folded
   */
  constructor(database: Database.Database, upTo: Position) {
    this.#database = database;
    this.ends = new SqliteStatements(database)
      .all(stepStatements.all, {})
      .slice(0, -1)
      .map((step) => positionAt(step.up_to))
      .filter((end) => comparePositions(end, upTo) <= 0)
      .toSorted(comparePositions);
  }

  /** Adds what some streams of the log come to. */
  add({ events, sums }: FoldedSteps): void {
    for (const [step, count] of events) this.#events.set(step, (this.#events.get(step) ?? 0) + count);
    for (const days of sums) {
      const known = this.#sums.get(days.step) ?? new Map<string, Measures>();
      this.#sums.set(days.step, known);
      for (const { facetKey, basis, day, measures } of unpackedDays(days))
        addTo(known, cellName(readFacet(facetKey)?.flow ?? '', basis, 'day', day, facetKey), measures);
    }
  }

  /** The differences, once the whole log was added. */
  failures(): readonly ReadModelFailure[] {
    return this.#database.transaction(() => this.#failures()).deferred();
  }

  #failures(): readonly ReadModelFailure[] {
    const sql = new SqliteStatements(this.#database);
    const failures: ReadModelFailure[] = [];
    const differences = new Map<number, SumsBy<string>>();
    const last = this.ends.at(-1);
    if (last === undefined) return failures;
    // Since the ends were read some steps may have been joined: one then comes to several that were folded.
    let folded = 0;
    for (const { no, up_to, events } of sql.all(stepStatements.all, {})) {
      const upTo = positionAt(up_to);
      if (comparePositions(upTo, last) > 0) break;
      const [sums, first] = [new Map<string, Measures>(), folded];
      differences.set(no, sums);
      for (
        let end = this.ends[folded];
        end !== undefined && comparePositions(end, upTo) <= 0;
        end = this.ends[folded]
      ) {
        for (const [name, measures] of this.#sums.get(folded) ?? []) addTo(sums, name, measures);
        folded += 1;
      }
      const expected = this.ends
        .slice(first, folded)
        .reduce((sum, _, i) => sum + (this.#events.get(first + i) ?? 0), 0);
      if (events !== expected)
        failures.push(reportDiffers(`step ${String(no)}: ${String(events)} events, expected ${String(expected)}`));
    }
    const facets = new FacetTable(this.#database);
    for (const row of sql.iterate(stepStatements.allCells, {})) {
      const sums = differences.get(row.step);
      const name = cellName(row.flow, row.basis, 'day', row.day, facets.keyOf(row.facet) ?? '');
      if (sums !== undefined) addTo(sums, name, measuresGroup.inverse(readMeasures(row)));
    }
    for (const [no, sums] of differences)
      for (const [name, measures] of sums)
        if (!isNothing(measures)) failures.push(reportDiffers(`step ${String(no)} of cell ${name}`));
    return failures;
  }
}
