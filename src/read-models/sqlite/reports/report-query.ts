import type Database from 'better-sqlite3';
import type { Report, ReportCell } from '../../../../projections/report/index.ts';
import type { BusinessDay } from '../../../domain/business-day.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { monthOf, type Grain } from '../../cell-sums.ts';
import type { ReportQuestion } from '../../read-models.ts';
import { REPORTS } from '../../reports.ts';
import { cellStatements } from '../../statements/cell-statements.ts';
import { readMeasures } from '../../stored-measures.ts';
import { DayRows } from './day-rows.ts';
import { FacetTable } from './facet-table.ts';

/** Periods of one grain, both inclusive. */
type Periods = { readonly grain: Grain; readonly first: string; readonly last: string };

const LAST = '~';

const monthAfter = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  // The year 10000 would sort before all others.
  if (year === 9999 && number === 12) return LAST;
  const [nextYear, next] = number === 12 ? [year + 1, 1] : [year, number + 1];
  return `${String(nextYear).padStart(4, '0')}-${String(next).padStart(2, '0')}`;
};

const lastDayOf = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map(Number);
  // Day 0 of the next month; years below 100 would be taken for the twentieth century.
  const end = new Date(0);
  end.setUTCFullYear(year, number, 0);
  return `${month}-${String(end.getUTCDate()).padStart(2, '0')}`;
};

/** The fewest periods that cover a range of days: whole months where they are whole, days at its ends. */
const wholeMonths = (from: BusinessDay | null, to: BusinessDay | null): readonly Periods[] => {
  const first = from === null ? '' : from.endsWith('-01') ? monthOf(from) : monthAfter(monthOf(from));
  // Texts compare: what sorts below a month is below every day of it.
  const end = to === null ? LAST : to === lastDayOf(monthOf(to)) ? monthAfter(monthOf(to)) : monthOf(to);
  if (first >= end) return [{ grain: 'day', first: from ?? '', last: to ?? LAST }];
  const months: Periods = { grain: 'month', first, last: monthBelow(end) };
  const before: readonly Periods[] =
    from === null || first === monthOf(from) ? [] : [{ grain: 'day', first: from, last: `${monthOf(from)}-31` }];
  const after: readonly Periods[] =
    to === null || end !== monthOf(to) ? [] : [{ grain: 'day', first: `${monthOf(to)}-01`, last: to }];
  return [...before, months, ...after];
};

/** The greatest text that is no later than the month before. */
const monthBelow = (month: string): string => {
  if (month === LAST) return LAST;
  const [year = 0, number = 0] = month.split('-').map(Number);
  const [before, last] = number === 1 ? [year - 1, 12] : [year, number - 1];
  return `${String(before).padStart(4, '0')}-${String(last).padStart(2, '0')}`;
};

/** Reports, and the cells that they are made of. */
export class ReportQuery {
  readonly #sql: SqliteStatements;
  readonly #facets: FacetTable;
  readonly #days: DayRows;

  constructor(database: Database.Database) {
    this.#sql = new SqliteStatements(database);
    this.#facets = new FacetTable(database);
    this.#days = new DayRows(database, this.#facets);
  }

  report(question: ReportQuestion): Report {
    const { flow, from, to, groupBy } = question;
    const { report } = REPORTS[flow];
    if (!groupBy.includes('day')) return report(groupBy, this.cells(question));
    // Totals are of whole months as far as they can be: they have a tenth of the cells that the days have.
    const { totals } = report([], this.cells({ ...question, groupBy: [] }));
    return { rows: this.#days.of(question, from ?? '', to ?? LAST), totals };
  }

  /** Cells of a report: days where it is grouped by them, else months as far as they lie within its dates. */
  *cells({ flow, basis, from, to, groupBy }: ReportQuestion): Generator<ReportCell> {
    const periods: readonly Periods[] = groupBy.includes('day')
      ? [{ grain: 'day', first: from ?? '', last: to ?? LAST }]
      : wholeMonths(from, to);
    for (const { grain, first, last } of periods) {
      for (const row of this.#sql.iterate(cellStatements.ofPeriods, { flow, basis, grain, first, last })) {
        const facet = this.#facets.facetOf(row.facet);
        if (facet !== null) yield { period: row.period, facet, measures: readMeasures(row) };
      }
    }
  }
}
