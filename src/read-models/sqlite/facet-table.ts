import type Database from 'better-sqlite3';
import { facetKey, type Facet } from '../../../projections/report/index.ts';
import type { OrderCount } from '../order-counts.ts';
import { readFacet } from '../stored-facet.ts';
import { sqlite } from './tables.ts';

/** A facet with its number, and how many orders are in it. */
export type NumberedFacet = OrderCount & { readonly id: number; readonly facet: Facet };

type Row = OrderCount & { readonly id: number; readonly facet: string };

/** Facets that are kept parsed; more than any merchant's orders have, unless statuses or tokens are made up. */
const MOST_KEPT = 50_000;

/** The classes that orders are in, by number. A number never changes its facet within a generation. */
export class FacetTable {
  readonly #all: Database.Statement<[], Row>;
  readonly #insert: Database.Statement<[string, number, number]>;
  readonly #find: Database.Statement<[string], number>;
  readonly #byId: Database.Statement<[number], Row>;
  readonly #count: Database.Statement<[number, number, number]>;
  readonly #ids = new Map<string, number>();
  readonly #facets = new Map<number, Facet>();
  readonly #keys = new Map<number, string>();

  constructor(database: Database.Database) {
    const rows = sqlite.selectFrom('facets').select(['id', 'facet', 'orders', 'settled']);
    this.#all = database.prepare(rows.compile().sql);
    this.#byId = database.prepare(rows.where('id', '=', 0).compile().sql);
    this.#insert = database.prepare(
      sqlite.insertInto('facets').values({ facet: '', orders: 0, settled: 0 }).compile().sql,
    );
    this.#find = database
      .prepare<[string], number>(sqlite.selectFrom('facets').select('id').where('facet', '=', '').compile().sql)
      .pluck();
    this.#count = database.prepare(
      sqlite
        .updateTable('facets')
        .set((it) => ({ orders: it('orders', '+', 0), settled: it('settled', '+', 0) }))
        .where('id', '=', 0)
        .compile().sql,
    );
  }

  /** The number of a facet, which gets one where it has none. */
  idOf(facet: Facet): number {
    return this.idOfKey(facetKey(facet));
  }

  idOfKey(key: string): number {
    const known = this.#ids.get(key) ?? this.#find.get(key);
    const id = known ?? Number(this.#insert.run(key, 0, 0).lastInsertRowid);
    if (this.#ids.size >= MOST_KEPT) this.#ids.clear();
    this.#ids.set(key, id);
    return id;
  }

  /** Adds to the numbers of orders in a facet. */
  count(id: number, { orders, settled }: OrderCount): void {
    this.#count.run(orders, settled, id);
  }

  /** Every facet that orders are in. */
  all(): readonly NumberedFacet[] {
    const found: NumberedFacet[] = [];
    for (const row of this.#all.all()) {
      if (row.orders === 0) continue;
      const facet = this.#read(row);
      if (facet !== null) found.push({ id: row.id, facet, orders: row.orders, settled: row.settled });
    }
    return found;
  }

  /** The facet of a number; null where there is none, or it can't be read. */
  facetOf(id: number): Facet | null {
    const known = this.#facets.get(id);
    if (known !== undefined) return known;
    const row = this.#byId.get(id);
    return row === undefined ? null : this.#read(row);
  }

  /** The key of a facet's number; null where there is none. */
  keyOf(id: number): string | null {
    const known = this.#keys.get(id) ?? this.#byId.get(id)?.facet ?? null;
    if (known !== null) this.#keys.set(id, known);
    return known;
  }

  /** How many orders are in each facet, by its key. */
  counts(): ReadonlyMap<string, OrderCount> {
    return new Map(this.#all.all().map(({ facet, orders, settled }) => [facet, { orders, settled }]));
  }

  /** Numbers given since the last commit are gone: a transaction was rolled back. */
  forget(): void {
    this.#ids.clear();
    this.#facets.clear();
  }

  #read({ id, facet: key }: Row): Facet | null {
    const known = this.#facets.get(id);
    if (known !== undefined) return known;
    const facet = readFacet(key);
    if (facet === null) return null;
    if (this.#facets.size >= MOST_KEPT) this.#facets.clear();
    this.#facets.set(id, facet);
    return facet;
  }
}
