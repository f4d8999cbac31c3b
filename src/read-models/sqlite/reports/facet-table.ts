import type Database from 'better-sqlite3';
import { facetKey, type Facet } from '../../../../projections/report/index.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import type { OrderCount } from '../../order-counts.ts';
import { facetStatements } from '../../statements/facet-statements.ts';
import { generationStatements } from '../../statements/generation-statements.ts';
import { readFacet } from '../../stored-facet.ts';

/** A facet with its number, and how many orders are in it. */
export type NumberedFacet = OrderCount & { readonly id: number; readonly facet: Facet };

type Row = OrderCount & { readonly id: number; readonly facet: string };

/** Every facet, as of a checkpoint. */
type AllFacets = { readonly position: string; readonly events: number; readonly facets: readonly NumberedFacet[] };

/** Facets that are kept parsed; more than any merchant's orders have, unless statuses or tokens are made up. */
const MOST_KEPT = 50_000;

/** The classes that orders are in, by number. A number never changes its facet within a generation. */
export class FacetTable {
  readonly #sql: SqliteStatements;
  readonly #ids = new Map<string, number>();
  readonly #facets = new Map<number, Facet>();
  readonly #keys = new Map<number, string>();
  #all: AllFacets | null = null;

  constructor(database: Database.Database) {
    this.#sql = new SqliteStatements(database);
  }

  /** The number of a facet, which gets one where it has none. */
  idOf(facet: Facet): number {
    return this.idOfKey(facetKey(facet));
  }

  idOfKey(key: string): number {
    const known = this.#ids.get(key) ?? this.#sql.get(facetStatements.idOf, { facet: key })?.id;
    const id = known ?? this.#sql.one(facetStatements.insert, { facet: key }).id;
    if (this.#ids.size >= MOST_KEPT) this.#ids.clear();
    this.#ids.set(key, id);
    return id;
  }

  /** Adds to the numbers of orders in a facet. */
  count(id: number, { orders, settled }: OrderCount): void {
    this.#sql.run(facetStatements.count, { id, orders, settled });
  }

  /**
   * Every facet that orders are in, as of what is committed. They are read anew where the checkpoint has moved, which each
   * batch does in the transaction that it counts its orders in.
   */
  all(): readonly NumberedFacet[] {
    const at = this.#sql.get(generationStatements.included, {});
    if (at !== undefined && at.position === this.#all?.position && at.events === this.#all.events)
      return this.#all.facets;
    const facets = this.#readAll();
    this.#all = at === undefined ? null : { ...at, facets };
    return facets;
  }

  #readAll(): readonly NumberedFacet[] {
    const found: NumberedFacet[] = [];
    for (const row of this.#sql.all(facetStatements.all, {})) {
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
    const row = this.#sql.get(facetStatements.byId, { id });
    return row === undefined ? null : this.#read(row);
  }

  /** The key of a facet's number; null where there is none. */
  keyOf(id: number): string | null {
    const known = this.#keys.get(id) ?? this.#sql.get(facetStatements.byId, { id })?.facet ?? null;
    if (known === null) return null;
    if (this.#keys.size >= MOST_KEPT) this.#keys.clear();
    this.#keys.set(id, known);
    return known;
  }

  /** How many orders are in each facet, by its key. */
  counts(): ReadonlyMap<string, OrderCount> {
    return new Map(
      this.#sql.all(facetStatements.all, {}).map(({ facet, orders, settled }) => [facet, { orders, settled }]),
    );
  }

  /** Numbers given since the last commit are gone: a transaction was rolled back. */
  forget(): void {
    this.#ids.clear();
    this.#facets.clear();
    this.#keys.clear();
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
