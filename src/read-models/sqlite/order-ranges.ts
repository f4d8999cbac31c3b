import type Database from 'better-sqlite3';
import { sql, type SelectQueryBuilder } from 'kysely';
import type { ListedRow, RowSource } from '../newest-first.ts';
import { sqlite, type Tables } from './tables.ts';

/** Dates of a list, as texts to compare with: moments from inclusive, until exclusive; days both inclusive. */
export type DateRange = {
  readonly from: string;
  readonly until: string;
  readonly firstDay: string;
  readonly lastDay: string;
};

type Row = {
  readonly no: number;
  readonly created_at: string;
  readonly order_id: string;
  readonly facet: number;
};

/** All that is read of one order. */
export type WholeRow = {
  readonly no: number;
  readonly facet: number;
  readonly settled_day: string | null;
  readonly created_day: string;
  readonly clock_after: string | null;
  readonly state: string;
  readonly other_utrs: string | null;
};

/** Above every text that is compared here: instants, days, and order ids where the moment is above already. */
export const LAST = '~';

const NO_DATES: DateRange = { from: '', until: LAST, firstDay: '', lastDay: LAST };

type Orders = SelectQueryBuilder<Tables, 'orders', { no: number; created_at: string; order_id: string; facet: number }>;

/** The part of a list that comes behind a place, down to a moment: both bounds are on the index that gives the order. */
const behind = (orders: Orders): Orders =>
  orders
    .where('created_at', '>=', '')
    .where((it) => it(it.refTuple('created_at', 'order_id'), '<', it.tuple('', '')))
    .orderBy('created_at', 'desc')
    .orderBy('order_id', 'desc');

const listed = ({ no, created_at, order_id }: Row): ListedRow => ({ no, createdAt: created_at, orderId: order_id });

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
  readonly #created: Database.Statement<unknown[], Row>;
  readonly #ofFacet: Database.Statement<unknown[], Row>;
  readonly #dueOfFacet: Database.Statement<unknown[], Row>;
  readonly #settledOn: Database.Statement<unknown[], Row>;
  readonly #settledOfFacet: Database.Statement<unknown[], Row>;
  readonly #days: Database.Statement<[string, string], { readonly day: string; readonly orders: number }>;
  readonly #row: Database.Statement<[number], WholeRow>;
  readonly #number: Database.Statement<[string], number>;

  constructor(database: Database.Database) {
    const orders: Orders = sqlite.selectFrom('orders').select(['no', 'created_at', 'order_id', 'facet']);
    const prepare = (query: Orders): Database.Statement<unknown[], Row> =>
      database.prepare(query.limit(0).compile().sql);
    const inDays = (query: Orders): Orders => query.where('created_day', '>=', '').where('created_day', '<=', '');
    const settled = (query: Orders): Orders => query.where('settled_day', '>=', '').where('settled_day', '<=', '');
    const facet = behind(orders.where('facet', '=', 0));
    this.#created = prepare(inDays(behind(orders)));
    this.#ofFacet = prepare(inDays(facet));
    this.#dueOfFacet = prepare(inDays(facet).where('clock_after', '<', ''));
    this.#settledOn = prepare(behind(orders.where('settled_day', '=', '')));
    this.#settledOfFacet = prepare(settled(facet));
    this.#days = database.prepare(
      sqlite
        .selectFrom('settled_days')
        .select(['day', 'orders'])
        .where('day', '>=', '')
        .where('day', '<=', '')
        .where('orders', '>', sql.lit(0))
        .compile().sql,
    );
    this.#row = database.prepare(
      sqlite
        .selectFrom('orders')
        .select(['no', 'facet', 'settled_day', 'created_day', 'clock_after', 'state', 'other_utrs'])
        .where('no', '=', 0)
        .compile().sql,
    );
    this.#number = database
      .prepare<[string], number>(sqlite.selectFrom('orders').select('no').where('order_id', '=', '').compile().sql)
      .pluck();
  }

  /** By creation, of all orders or of those in some facets. */
  created(range: DateRange | null, facets: ReadonlySet<number> | null): RowSource {
    return this.#source(this.#created, [], range, days(range ?? NO_DATES), facets);
  }

  /** By creation, of one facet; those whose clock anomaly has begun before a moment. */
  ofFacet(facet: number, range: DateRange | null, dueBefore: string | null): RowSource {
    const within = days(range ?? NO_DATES);
    return dueBefore === null
      ? this.#source(this.#ofFacet, [facet], range, within, null)
      : this.#source(this.#dueOfFacet, [facet], range, [...within, dueBefore], null);
  }

  /** Of the orders that settled on a day. */
  settledOn(day: string, facets: ReadonlySet<number> | null): RowSource {
    return this.#source(this.#settledOn, [day], null, [], facets);
  }

  /** Of one facet, those that settled in a range of days. */
  settledOfFacet(facet: number, range: DateRange): RowSource {
    return this.#source(this.#settledOfFacet, [facet], null, days(range), null);
  }

  /** Days of a range on which orders settled. */
  settledDays({ firstDay, lastDay }: DateRange): readonly { readonly day: string; readonly orders: number }[] {
    return this.#days.all(firstDay, lastDay);
  }

  row(no: number): WholeRow | undefined {
    return this.#row.get(no);
  }

  /** The number of an order; null where there is none of this id. */
  numberOf(orderId: string): number | null {
    return this.#number.get(orderId) ?? null;
  }

  #source(
    statement: Database.Statement<unknown[], Row>,
    before: readonly unknown[],
    range: DateRange | null,
    residual: readonly unknown[],
    facets: ReadonlySet<number> | null,
  ): RowSource {
    const { from, until } = range ?? NO_DATES;
    const facetOf = new Map<number, number>();
    const read: RowSource = (after, most) => {
      // No order id is empty, so that the end of the range is a place too.
      const place = after !== null && after.createdAt < until ? [after.createdAt, after.orderId] : [until, ''];
      const rows = statement.all(...before, from, ...place, ...residual, most);
      if (facets !== null) for (const row of rows) facetOf.set(row.no, row.facet);
      return rows.map(listed);
    };
    return facets === null ? read : among(read, ({ no }) => facetOf.get(no) ?? -1, facets);
  }
}

const days = ({ firstDay, lastDay }: DateRange): readonly string[] => [firstDay, lastDay];
