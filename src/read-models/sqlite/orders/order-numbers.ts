import type Database from 'better-sqlite3';
import { TextMemory } from '../../../domain/text-memory.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { orderStatements, type WholeOrderRow } from '../../statements/order-statements.ts';
import { termOf } from '../terms/term.ts';
import { TermIndex } from '../terms/term-index.ts';

/** Orders whose number is known without a search, and what they take. */
const MOST_KNOWN = 65_536;
const KNOWN_BYTES = 64 * MOST_KNOWN;

/** Finds orders by their id: a few candidates of an index of digests, of which one has the id. */
export class OrderNumbers {
  readonly #sql: SqliteStatements;
  readonly #ids: TermIndex;
  /** Null until something is noted: those who only read note nothing, and each connection has one of these. */
  #known: TextMemory | null = null;

  constructor(database: Database.Database, ids = new TermIndex(database, 'id')) {
    this.#sql = new SqliteStatements(database);
    this.#ids = ids;
  }

  /** Does what looks for many ids, within one transaction in which nothing is added to their index. */
  steady<A>(work: () => A): A {
    return this.#ids.steady(work);
  }

  /** Makes a part of what finding ids is quicker by, see `TermIndex.prepare`. Whether more may be left. */
  prepare(): boolean {
    return this.#ids.prepare();
  }

  /** Notes the number of an order, so that it need not be searched for when its next event comes. */
  note(orderId: string, no: number): void {
    this.#known ??= new TextMemory(MOST_KNOWN, KNOWN_BYTES);
    this.#known.put(orderId, String(no));
  }

  /** The number that was noted of an order, as long as nobody else has written since; null where that is not known. */
  noted(orderId: string): number | null {
    const no = this.#known?.get(orderId) ?? null;
    return no === null ? null : Number(no);
  }

  /** Forgets what was noted: a transaction was rolled back, or others have written. */
  forget(): void {
    this.#known?.clear();
  }

  /** The row of an order; null where there is none of this id. */
  row(orderId: string): WholeOrderRow | null {
    const known = this.noted(orderId);
    const noted = known === null ? null : this.#rowAt(known, orderId);
    if (noted !== null) return noted;
    for (const no of this.#ids.refs(termOf(orderId))) {
      const row = this.#rowAt(no, orderId);
      if (row !== null) return row;
    }
    return null;
  }

  numberOf(orderId: string): number | null {
    return this.row(orderId)?.no ?? null;
  }

  #rowAt(no: number, orderId: string): WholeOrderRow | null {
    const row = this.#sql.get(orderStatements.byNo, { no });
    return row?.order_id === orderId ? row : null;
  }
}
