import type Database from 'better-sqlite3';
import type { ReportCell, ReportRow } from '../../../../projections/report/index.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import type { ReportQuestion } from '../../read-models.ts';
import { REPORTS } from '../../reports.ts';
import { cellStatements } from '../../statements/cell-statements.ts';
import { readMeasures } from '../../stored-measures.ts';
import type { FacetTable } from './facet-table.ts';
import { SeenDays } from './seen-days.ts';

/** What the rows of a day were made of, the rows, and at which look they were what there is. */
type KnownDay = { readonly cells: string; readonly rows: readonly ReportRow[]; readonly look: number };

/** A day and its rows. */
type DayOfRows = readonly [day: string, rows: readonly ReportRow[]];

/** More days than these are read at once, with those between them. */
const FEW = 10;

const kindOf = ({ flow, basis, groupBy }: ReportQuestion): string => [flow, basis, ...groupBy].join(' ');

const keyOf = (kind: string, day: string): string => `${kind} ${day}`;

/** How much is kept. */
type Most = {
  readonly days: number;
  /** Of all of them. A day has many where reports are grouped by tokens too. */
  readonly rows: number;
};

/** The days of a year, of both flows and bases; a row takes about a kilobyte. */
const USUAL: Most = { days: 1_500, rows: 20_000 };

/**
 * The rows of reports by day. What is kept of a day is taken again where no step of the log has changed it since, without
 * reading it, and also where its cells are the same to the letter: of a year only the last days change.
 */
export class DayRows {
  readonly #database: Database.Database;
  readonly #sql: SqliteStatements;
  readonly #facets: FacetTable;
  readonly #seen = new Map<string, SeenDays>();
  /** The one that was asked for last is last. */
  readonly #known = new Map<string, KnownDay>();
  readonly #most: Most;
  /** The rows of all that is kept. */
  #rows = 0;

  /** @param most other than the usual */
  constructor(database: Database.Database, facets: FacetTable, most = USUAL) {
    this.#most = most;
    this.#database = database;
    this.#sql = new SqliteStatements(database);
    this.#facets = facets;
  }

  /** The rows of a report that is grouped by days, in their order. `first` and `last`: days, or texts beyond all of them. */
  of(question: ReportQuestion, first: string, last: string): readonly ReportRow[] {
    const seen = this.#seenDays(question);
    const look = seen.look();
    const days = seen.between(first, last);
    const kind = kindOf(question);
    const kept = new Map((days ?? []).flatMap((day) => this.#keptOf(seen, kind, day)));
    const toRead = days?.filter((day) => !kept.has(day)) ?? [];
    if (days === null || toRead.length > FEW) {
      const read = [...this.#read(question, first, last, look)];
      seen.note({ first, last, days: read.map(([day]) => day) });
      return read.flatMap(([, rows]) => rows);
    }
    const read = new Map(toRead.flatMap((day) => [...this.#read(question, day, day, look)]));
    return days.flatMap((day) => kept.get(day) ?? read.get(day) ?? []);
  }

  /** The rows of each day that is read, and kept from now on. */
  *#read(question: ReportQuestion, first: string, last: string, look: number): Generator<DayOfRows, void> {
    const { flow, basis, groupBy } = question;
    const kind = kindOf(question);
    for (const { period, cells } of this.#sql.iterate(cellStatements.ofDays, { flow, basis, first, last })) {
      const key = keyOf(kind, period);
      const known = this.#known.get(key);
      const rows =
        known?.cells === cells ? known.rows : REPORTS[flow].report(groupBy, this.#cellsIn(period, cells)).rows;
      this.#keep(key, { cells, rows, look });
      yield [period, rows];
    }
  }

  /** What is kept of a day and is still so, which is what was asked for last then. */
  #keptOf(seen: SeenDays, kind: string, day: string): readonly DayOfRows[] {
    const key = keyOf(kind, day);
    const known = this.#known.get(key);
    if (known === undefined || !seen.isSame(day, known.look)) return [];
    this.#keep(key, known);
    return [[day, known.rows]];
  }

  #seenDays({ flow, basis }: ReportQuestion): SeenDays {
    const key = `${flow} ${basis}`;
    const known = this.#seen.get(key);
    if (known !== undefined) return known;
    const seen = new SeenDays(this.#database, flow, basis);
    this.#seen.set(key, seen);
    return seen;
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
