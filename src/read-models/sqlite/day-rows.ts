import type Database from 'better-sqlite3';
import type { ReportCell, ReportRow } from '../../../projections/report/index.ts';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import type { ReportQuestion } from '../read-models.ts';
import { REPORTS } from '../reports.ts';
import { cellStatements } from '../statements/cell-statements.ts';
import { readMeasures } from '../stored-measures.ts';
import type { FacetTable } from './facet-table.ts';

/** What the rows of a day were made of, and the rows. */
type KnownDay = { readonly cells: string; readonly rows: readonly ReportRow[] };

/** Days that are kept: those of a year, of both flows and bases. The cells of a day are some kilobytes of text. */
const MOST_KEPT = 1_500;

/**
 * The rows of reports by day. What is kept of a day is taken again as long as its cells are the same to the letter: of a
 * year only the last days change, and comparing texts takes a hundredth of the time of making rows of them.
 */
export class DayRows {
  readonly #sql: SqliteStatements;
  readonly #facets: FacetTable;
  /** The one that was asked for last is last. */
  readonly #known = new Map<string, KnownDay>();

  constructor(database: Database.Database, facets: FacetTable) {
    this.#sql = new SqliteStatements(database);
    this.#facets = facets;
  }

  /** The rows of a report that is grouped by days, in their order. `first` and `last`: days, or texts beyond all of them. */
  of({ flow, basis, groupBy }: ReportQuestion, first: string, last: string): readonly ReportRow[] {
    const kind = [flow, basis, ...groupBy].join(' ');
    const rows: ReportRow[] = [];
    for (const { period, cells } of this.#sql.iterate(cellStatements.ofDays, { flow, basis, first, last })) {
      const key = `${kind} ${period}`;
      const known = this.#known.get(key);
      const day =
        known?.cells === cells
          ? known
          : { cells, rows: REPORTS[flow].report(groupBy, this.#cellsIn(period, cells)).rows };
      this.#keep(key, day);
      rows.push(...day.rows);
    }
    return rows;
  }

  #keep(key: string, day: KnownDay): void {
    this.#known.delete(key);
    this.#known.set(key, day);
    if (this.#known.size <= MOST_KEPT) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }

  *#cellsIn(period: string, cells: string): Generator<ReportCell, void> {
    for (const cell of cells.split(';')) {
      const [facetId = '', orders = '', fiat = '', settled = ''] = cell.split(' ');
      const facet = this.#facets.facetOf(Number(facetId));
      const stored = { orders: Number(orders), fiat, settled: settled === '' ? null : settled };
      if (facet !== null) yield { period, facet, measures: readMeasures(stored) };
    }
  }
}
