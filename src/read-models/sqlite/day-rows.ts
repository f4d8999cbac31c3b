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

/** How much is kept. */
type Most = {
  readonly days: number;
  /** Of all of them. A day has many where reports are grouped by tokens too. */
  readonly rows: number;
};

/** The days of a year, of both flows and bases; a row takes about a kilobyte. */
const USUAL: Most = { days: 1_500, rows: 20_000 };

/**
 * The rows of reports by day. What is kept of a day is taken again as long as its cells are the same to the letter: of a
 * year only the last days change, and comparing texts takes a hundredth of the time of making rows of them.
 */
export class DayRows {
  readonly #sql: SqliteStatements;
  readonly #facets: FacetTable;
  /** The one that was asked for last is last. */
  readonly #known = new Map<string, KnownDay>();
  readonly #most: Most;
  /** The rows of all that is kept. */
  #rows = 0;

  /** @param most other than the usual */
  constructor(database: Database.Database, facets: FacetTable, most = USUAL) {
    this.#most = most;
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
    this.#drop(key);
    this.#known.set(key, day);
    this.#rows += day.rows.length;
    while (this.#known.size > this.#most.days || this.#rows > this.#most.rows) {
      const [oldest] = this.#known.keys();
      if (oldest === undefined) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    const known = this.#known.get(key);
    if (known === undefined) return;
    this.#known.delete(key);
    this.#rows -= known.rows.length;
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
