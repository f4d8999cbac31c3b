import type Database from 'better-sqlite3';
import { OVERDUE_AFTER_MS, type ClockAnomalyCode } from '../../../../projections/order-state/index.ts';
import { branded } from '../../../domain/brand.ts';
import type { Calendar } from '../../../domain/business-day.ts';
import { laterBy, type Instant } from '../../../domain/instant.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import type { SqlValue, Statement } from '../../../sql/statement.ts';
import { inListOrder, newestFirst, type ListedRow, type RowSource } from '../../newest-first.ts';
import { sortable } from '../../order-row.ts';
import {
  orderStatements,
  readAllListed,
  readListed,
  type ListedOrderRow,
  type WholeOrderRow,
} from '../../statements/order-statements.ts';
import { settledDayStatements } from '../../statements/settled-day-statements.ts';
import { rowStateText } from '../../stored-state.ts';

/** Dates of a list, as texts to compare with: moments from inclusive, until exclusive; days both inclusive. */
export type DateRange = {
  readonly from: string;
  readonly until: string;
  readonly firstDay: string;
  readonly lastDay: string;
};

/** Above every text that is compared here: instants, days, and order ids where the moment is above already. */
export const LAST = '~';

const NO_DATES: DateRange = { from: '', until: LAST, firstDay: '', lastDay: LAST };

/** A facet whose orders are in a list only from a moment on, and the anomaly that the clock brings them then. */
export type DueFacet = { readonly id: number; readonly clock: ClockAnomalyCode | null };

/** The place behind which a list goes on, down to a moment. */
type Behind = { readonly from: string; readonly created_at: string; readonly order_id: string };
type Place = Behind & { readonly most: number };

type Values = Readonly<Record<string, SqlValue>>;

/** A row as every range has it. */
type PlacedRow = Omit<ListedOrderRow, 'facet'>;

const listed = ({ no, created_at, order_id }: PlacedRow): ListedRow => ({
  no,
  createdAt: created_at,
  orderId: order_id,
});

const placed = ({ no, createdAt, orderId }: ListedRow): PlacedRow => ({ no, created_at: createdAt, order_id: orderId });

/** No order id is empty, so that the end of a range is a place too. */
const placeBehind = (after: ListedRow | null, { from, until }: DateRange): Behind =>
  after !== null && after.createdAt < until
    ? { from, created_at: after.createdAt, order_id: after.orderId }
    : { from, created_at: until, order_id: '' };

/** What of the rows of a range is in a list; null: all of it. */
type IsIn<R extends PlacedRow> = ((row: R) => boolean) | null;

const amongFacets = (facets: ReadonlySet<number> | null): IsIn<ListedOrderRow> =>
  facets === null ? null : ({ facet }) => facets.has(facet);

const overdueFrom = ({ created_at }: PlacedRow): Instant | null =>
  laterBy(branded<Instant>(`${created_at}Z`), OVERDUE_AFTER_MS);

/** Whether a pending order waits for too long before a moment. */
const isOverdue = (row: PlacedRow, dueBefore: string): boolean => {
  const from = overdueFrom(row);
  return from !== null && sortable(from) < dueBefore;
};

/** No order that was created then or later waits for too long before a moment. Digits finer than milliseconds don't count. */
const latestOverdue = (dueBefore: string): string => {
  const latest = laterBy(branded<Instant>(`${dueBefore}Z`), 1 - OVERDUE_AFTER_MS);
  return latest === null ? LAST : sortable(latest);
};

/** Rows that are read at a time at the most where many are left out. */
const MOST_READ = 4_096;

/** The first rows of a source behind a place, or all of them there. */
type ReadAhead = { readonly place: ListedRow | null; readonly rows: readonly ListedRow[]; readonly areAll: boolean };

/** A source whose first rows were read before. */
const beginningWith =
  ({ place, rows, areAll }: ReadAhead, source: RowSource): RowSource =>
  (after, most) =>
    after === place && (areAll || rows.length >= most) ? rows.slice(0, most) : source(after, most);

/** A facet, and how many of its first rows a list is likely to have. */
export type FacetAsked = { readonly facet: number; readonly most: number };

/** As few rows as no statement is worth being one of its own for. */
const FEWEST_ROWS = 4;

/** Facets by how many rows are read of each, which is as many as are asked for or up to twice as many. */
const byMost = (asked: readonly FacetAsked[]): ReadonlyMap<number, readonly number[]> => {
  const facets = new Map<number, number[]>();
  for (const { facet, most } of asked) {
    const read = Math.max(FEWEST_ROWS, 2 ** Math.ceil(Math.log2(most)));
    const others = facets.get(read);
    if (others === undefined) facets.set(read, [facet]);
    else others.push(facet);
  }
  return facets;
};

/** What is stored of an order. */
export type StoredText = { readonly no: number; readonly text: string };

/** Ranges of orders in the order of lists, each of one index. */
export class OrderRanges {
  readonly #sql: SqliteStatements;
  readonly #calendar: Calendar;

  constructor(database: Database.Database, calendar: Calendar) {
    this.#sql = new SqliteStatements(database);
    this.#calendar = calendar;
  }

  /** By creation, of all orders or of those in some facets. */
  created(range: DateRange | null, facets: ReadonlySet<number> | null): RowSource {
    const isOfDays = this.#isOfDays(range);
    if (facets === null) return this.#source(orderStatements.createdOfAll, range, {}, isOfDays);
    const isIn = (row: ListedOrderRow): boolean => facets.has(row.facet) && (isOfDays === null || isOfDays(row));
    return this.#source(orderStatements.created, range, {}, isIn);
  }

  /** By creation, of one facet. */
  ofFacet(facet: number, range: DateRange | null): RowSource {
    return this.#source(orderStatements.ofFacet, range, { facet }, this.#isOfDays(range));
  }

  /**
   * By creation, of each of many facets, the first rows of which behind a place are read by a statement for many of them:
   * for each of these alone a statement would take most of what a page does.
   */
  ofFacets(
    asked: readonly FacetAsked[],
    range: DateRange | null,
    place: ListedRow | null,
  ): ReadonlyMap<number, RowSource> {
    const isOfDays = this.#isOfDays(range);
    const behind = placeBehind(place, range ?? NO_DATES);
    const sources = new Map<number, RowSource>();
    for (const [most, facets] of byMost(asked)) {
      const found = this.#sql.all(orderStatements.ofFacets, { facets: JSON.stringify(facets), ...behind, most });
      for (const { facet, rows: text } of found) {
        const read = readAllListed(text)?.toSorted(inListOrder) ?? null;
        if (read === null) continue;
        const rows = isOfDays === null ? read : read.filter((row) => isOfDays(placed(row)));
        sources.set(facet, beginningWith({ place, rows, areAll: read.length < most }, this.ofFacet(facet, range)));
      }
    }
    return sources;
  }

  /** The same, of those whose clock anomaly has begun before a moment. */
  dueOfFacet({ id, clock }: DueFacet, range: DateRange | null, dueBefore: string): RowSource {
    const isOfDays = this.#isOfDays(range);
    if (clock !== 'overdue') {
      return this.#source(orderStatements.dueOfFacet, range, { facet: id, due_before: dueBefore }, isOfDays);
    }
    // Their creation says when their time is over: those of the last hours, of which most still wait, need not be looked at.
    const { until, ...within } = range ?? NO_DATES;
    const latest = latestOverdue(dueBefore);
    const narrowed = { ...within, until: until < latest ? until : latest };
    const isIn: IsIn<PlacedRow> = (row) => isOverdue(row, dueBefore) && (isOfDays === null || isOfDays(row));
    return this.#source(orderStatements.ofFacet, narrowed, { facet: id }, isIn);
  }

  /** Of the orders that settled on a day. */
  settledOn(day: string, facets: ReadonlySet<number> | null): RowSource {
    return this.#source(orderStatements.settledOn, null, { settled_day: day }, amongFacets(facets));
  }

  /** Of the orders that settled in a range of many days. One statement finds the first row of each day. */
  settledIn({ firstDay, lastDay }: DateRange, facets: ReadonlySet<number> | null): RowSource {
    return (after, most) => {
      const days = { first_day: firstDay, last_day: lastDay, ...placeBehind(after, NO_DATES) };
      const newest =
        facets === null
          ? this.#sql.all(orderStatements.newestSettled, days)
          : this.#sql.all(orderStatements.newestSettledAmong, { ...days, facets: JSON.stringify([...facets]) });
      const sources = newest.flatMap(({ day, row }) => {
        const first = row === null ? null : readListed(row);
        if (first === null) return [];
        return [beginningWith({ place: after, rows: [first], areAll: false }, this.settledOn(day, facets))];
      });
      return newestFirst(sources, after, most);
    };
  }

  /** Of one facet, those that settled in a range of days. */
  settledOfFacet(facet: number, { firstDay, lastDay }: DateRange): RowSource {
    const days = { first_day: firstDay, last_day: lastDay };
    return this.#source(orderStatements.settledOfFacet, null, { facet, ...days }, null);
  }

  /** Days of a range on which orders settled. */
  settledDays({ firstDay, lastDay }: DateRange): readonly { readonly day: string; readonly orders: number }[] {
    return this.#sql.all(settledDayStatements.between, { first: firstDay, last: lastDay });
  }

  row(no: number): WholeOrderRow | undefined {
    return this.#sql.get(orderStatements.byNo, { no });
  }

  /** The texts of orders' states, in the order of these numbers and read one by one; those that are not there are missing. */
  *stateTexts(numbers: readonly number[]): Generator<StoredText, void> {
    for (const row of this.#sql.iterate(orderStatements.statesOf, { numbers: JSON.stringify(numbers) })) {
      yield { no: row.no, text: rowStateText(row) };
    }
  }

  /**
   * Whether an order was created on a day of the range: a day may come in two pieces, and what lies between them is in the
   * range too. It is told from the row of the index, for the order itself lies anywhere.
   */
  #isOfDays(range: DateRange | null): IsIn<PlacedRow> {
    if (range === null) return null;
    const { firstDay, lastDay } = range;
    return ({ created_at }) => {
      const day = this.#calendar.dayOf(branded<Instant>(`${created_at}Z`));
      return day >= firstDay && day <= lastDay;
    };
  }

  #source<P extends Values, R extends PlacedRow>(
    statement: Statement<P & Place, R>,
    range: DateRange | null,
    residual: P,
    isIn: IsIn<R>,
  ): RowSource {
    const within = range ?? NO_DATES;
    return (after, most) => {
      const found: ListedRow[] = [];
      let place = after;
      for (let read = most; ; read = Math.min(read * 4, MOST_READ)) {
        const rows = this.#sql.all(statement, { ...residual, ...placeBehind(place, within), most: read });
        for (const row of rows) if (isIn === null || isIn(row)) found.push(listed(row));
        const last = rows.at(-1);
        if (found.length >= most || last === undefined || rows.length < read) return found.slice(0, most);
        place = listed(last);
      }
    };
  }
}
