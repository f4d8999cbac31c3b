import type Database from 'better-sqlite3';
import { SqliteStatements } from '../../sql/sqlite-statements.ts';
import type { SqlValue, Statement } from '../../sql/statement.ts';
import type { ListedRow, RowSource } from '../newest-first.ts';
import { orderStatements, type ListedOrderRow, type WholeOrderRow } from '../statements/order-statements.ts';
import { settledDayStatements } from '../statements/settled-day-statements.ts';

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

/** The place behind which a list goes on, down to a moment. */
type Place = {
  readonly from: string;
  readonly created_at: string;
  readonly order_id: string;
  readonly most: number;
};

type Values = Readonly<Record<string, SqlValue>>;

const listed = ({ no, created_at, order_id }: ListedOrderRow): ListedRow => ({
  no,
  createdAt: created_at,
  orderId: order_id,
});

/** Rows of a statement that are in a set of facets; asked again as long as too few are. */
const among =
  (read: RowSource, facetOf: (row: ListedRow) => number, facets: ReadonlySet<number>): RowSource =>
  (after, most) => {
    const found: ListedRow[] = [];
    let from = after;
    for (let read_ = most; ; read_ = Math.min(read_ * 4, 4_096)) {
      const rows = read(from, read_);
      found.push(...rows.filter((row) => facets.has(facetOf(row))));
      from = rows.at(-1) ?? from;
      if (found.length >= most || rows.length < read_) return found.slice(0, most);
    }
  };

/** Ranges of orders in the order of lists, each of one index. */
export class OrderRanges {
  readonly #sql: SqliteStatements;

  constructor(database: Database.Database) {
    this.#sql = new SqliteStatements(database);
  }

  /** By creation, of all orders or of those in some facets. */
  created(range: DateRange | null, facets: ReadonlySet<number> | null): RowSource {
    return this.#source(orderStatements.created, range, days(range), facets);
  }

  /** By creation, of one facet; those whose clock anomaly has begun before a moment. */
  ofFacet(facet: number, range: DateRange | null, dueBefore: string | null): RowSource {
    const within = { facet, ...days(range) };
    return dueBefore === null
      ? this.#source(orderStatements.ofFacet, range, within, null)
      : this.#source(orderStatements.dueOfFacet, range, { ...within, due_before: dueBefore }, null);
  }

  /** Of the orders that settled on a day. */
  settledOn(day: string, facets: ReadonlySet<number> | null): RowSource {
    return this.#source(orderStatements.settledOn, null, { settled_day: day }, facets);
  }

  /** Of one facet, those that settled in a range of days. */
  settledOfFacet(facet: number, range: DateRange): RowSource {
    return this.#source(orderStatements.settledOfFacet, null, { facet, ...days(range) }, null);
  }

  /** Days of a range on which orders settled. */
  settledDays({ firstDay, lastDay }: DateRange): readonly { readonly day: string; readonly orders: number }[] {
    return this.#sql.all(settledDayStatements.between, { first: firstDay, last: lastDay });
  }

  row(no: number): WholeOrderRow | undefined {
    return this.#sql.get(orderStatements.byNo, { no });
  }

  #source<P extends Values>(
    statement: Statement<P & Place, ListedOrderRow>,
    range: DateRange | null,
    residual: P,
    facets: ReadonlySet<number> | null,
  ): RowSource {
    const { from, until } = range ?? NO_DATES;
    const facetOf = new Map<number, number>();
    const read: RowSource = (after, most) => {
      // No order id is empty, so that the end of the range is a place too.
      const place =
        after !== null && after.createdAt < until
          ? { created_at: after.createdAt, order_id: after.orderId }
          : { created_at: until, order_id: '' };
      const rows = this.#sql.all(statement, { ...residual, from, ...place, most });
      if (facets !== null) for (const row of rows) facetOf.set(row.no, row.facet);
      return rows.map(listed);
    };
    return facets === null ? read : among(read, ({ no }) => facetOf.get(no) ?? -1, facets);
  }
}

const days = (range: DateRange | null): { readonly first_day: string; readonly last_day: string } => {
  const { firstDay, lastDay } = range ?? NO_DATES;
  return { first_day: firstDay, last_day: lastDay };
};
