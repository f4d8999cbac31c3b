import type Database from 'better-sqlite3';
import type { OrderState } from '../../../../projections/order-state/index.ts';
import { UtrText, type Utr } from '../../../domain/ids.ts';
import { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import type { KeptOrder } from '../../order-row.ts';
import type { ProjectedOrder } from '../../projected-order.ts';
import { orderRows, orderStatements, type OrderValues, type WholeOrderRow } from '../../statements/order-statements.ts';
import { readArray } from '../../stored-array.ts';
import { readState, rowStateText } from '../../stored-state.ts';

/** What is kept of an order, by its number. */
export type StoredOrder = { readonly no: number; readonly order: ProjectedOrder };

const valuesOf = (row: KeptOrder, facet: number) => ({
  order_id: row.orderId,
  facet,
  created_at: row.createdAt,
  created_day: row.createdDay,
  settled_day: row.settledDay,
  clock_after: row.clockAfter,
  state: row.state,
  other_utrs: row.otherUtrs,
});

/** Reads a JSON array of references; none for null. */
const readUtrs = (text: string | null): readonly Utr[] => {
  const utrs = text === null ? null : readArray(text);
  return (utrs ?? []).filter(UtrText.is);
};

/** A state as it was read. One that is not what this version writes comes from damage only, and `replay` mends it. */
export const storedState = (no: number, text: string): OrderState => {
  const state = readState(text);
  if (state === null) throw new Error(`order row ${no} of the read models is damaged; run "ramp-ledger replay"`);
  return state;
};

/** The row as it was read. */
export const storedOrder = (row: WholeOrderRow): StoredOrder => ({
  no: row.no,
  order: { state: storedState(row.no, rowStateText(row)), otherUtrs: readUtrs(row.other_utrs) },
});

/** An order under its number. `facet`: the number of its facet. */
export type NumberedRow = { readonly no: number; readonly row: KeptOrder; readonly facet: number };

const placesOf = ({ no, row, facet }: Omit<NumberedRow, 'no'> & { readonly no: number | null }): OrderValues => [
  no,
  row.orderId,
  facet,
  row.createdAt,
  row.createdDay,
  row.settledDay,
  row.clockAfter,
  row.state,
  row.otherUtrs,
];

/** One row for each order. */
export class OrderTable {
  readonly #sql: SqliteStatements;

  constructor(database: Database.Database) {
    this.#sql = new SqliteStatements(database);
  }

  /** Adds an order; its number is the next one. */
  insert(row: KeptOrder, facet: number): number {
    return this.#sql.putNumbered(orderRows, placesOf({ no: null, row, facet }));
  }

  /** Adds orders under numbers of the caller's. */
  insertAll(orders: readonly NumberedRow[]): void {
    this.#sql.put(orderRows, orders.map(placesOf));
  }

  update(no: number, row: KeptOrder, facet: number): void {
    this.#sql.run(orderStatements.update, { no, ...valuesOf(row, facet) });
  }
}
