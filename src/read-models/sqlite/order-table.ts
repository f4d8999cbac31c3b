import type Database from 'better-sqlite3';
import type { OrderId } from '../../domain/ids.ts';
import type { KeptOrder } from '../order-row.ts';
import type { ProjectedOrder } from '../projected-order.ts';
import { readState } from '../stored-state.ts';
import { readUtrs } from '../stored-utrs.ts';
import { sqlite } from './tables.ts';

/** What is kept of an order, by its number. */
export type StoredOrder = {
  readonly no: number;
  readonly facet: number;
  readonly settledDay: string | null;
  readonly order: ProjectedOrder;
};

type Row = {
  readonly no: number;
  readonly facet: number;
  readonly settled_day: string | null;
  readonly state: string;
  readonly other_utrs: string | null;
};

type Values = [
  orderId: string,
  facet: number,
  createdAt: string,
  createdDay: string,
  settledDay: string | null,
  clockAfter: string | null,
  state: string,
  otherUtrs: string | null,
];

const values = (row: KeptOrder, facet: number): Values => [
  row.orderId,
  facet,
  row.createdAt,
  row.createdDay,
  row.settledDay,
  row.clockAfter,
  row.state,
  row.otherUtrs,
];

/** The row as it was read. A state that is not what this version writes comes from damage only, and `replay` mends it. */
export const storedOrder = (row: Row): StoredOrder => {
  const state = readState(row.state);
  if (state === null) throw new Error(`order row ${row.no} of the read models is damaged; run "ramp-ledger replay"`);
  const otherUtrs = readUtrs(row.other_utrs);
  return { no: row.no, facet: row.facet, settledDay: row.settled_day, order: { state, otherUtrs } };
};

/** Orders by id, one row each. */
export class OrderTable {
  readonly #get: Database.Statement<[string], Row>;
  readonly #insert: Database.Statement<Values>;
  readonly #insertAt: Database.Statement<[number, ...Values]>;
  readonly #update: Database.Statement<[...Values, number]>;

  constructor(database: Database.Database) {
    const row = {
      order_id: '',
      facet: 0,
      created_at: '',
      created_day: '',
      settled_day: null,
      clock_after: null,
      state: '',
      other_utrs: null,
    };
    this.#get = database.prepare(
      sqlite
        .selectFrom('orders')
        .select(['no', 'facet', 'settled_day', 'state', 'other_utrs'])
        .where('order_id', '=', '')
        .compile().sql,
    );
    this.#insert = database.prepare(sqlite.insertInto('orders').values(row).compile().sql);
    this.#insertAt = database.prepare(
      sqlite
        .insertInto('orders')
        .values({ no: 0, ...row })
        .compile().sql,
    );
    this.#update = database.prepare(sqlite.updateTable('orders').set(row).where('no', '=', 0).compile().sql);
  }

  get(orderId: OrderId): StoredOrder | null {
    const row = this.#get.get(orderId);
    return row === undefined ? null : storedOrder(row);
  }

  /** Adds an order; its number is the next one. */
  insert(row: KeptOrder, facet: number): number {
    return Number(this.#insert.run(...values(row, facet)).lastInsertRowid);
  }

  /** Adds an order under a number of the caller's. */
  insertAt(no: number, row: KeptOrder, facet: number): void {
    this.#insertAt.run(no, ...values(row, facet));
  }

  update(no: number, row: KeptOrder, facet: number): void {
    this.#update.run(...values(row, facet), no);
  }
}
