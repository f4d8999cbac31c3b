import { matchOrderOf, type MatchOrder } from '../../../../projections/match/match-order.ts';
import type { Calendar } from '../../../domain/business-day.ts';
import type { OrderId } from '../../../domain/ids.ts';
import type { SqliteStatements } from '../../../sql/sqlite-statements.ts';
import { orderStatements, type WholeOrderRow } from '../../statements/order-statements.ts';
import type { OrderNumbers } from '../orders/order-numbers.ts';
import { storedOrder } from '../orders/order-table.ts';

/** Orders of one generation as the match sees them, by number and by id. */
export class MatchOrders {
  readonly #sql: SqliteStatements;
  readonly #calendar: Calendar;
  readonly #numbers: OrderNumbers;
  /** Read since the last change: an item asks for the same again and again. */
  readonly #orders = new Map<number, MatchOrder>();
  /** Of orders that were read. */
  readonly #numberOf = new Map<OrderId, number>();
  /** Orders that the transaction under way has changed: nobody need read their rows again. */
  readonly #changed = new Map<number, MatchOrder>();
  readonly #changedNumbers = new Map<OrderId, number>();

  constructor(sql: SqliteStatements, calendar: Calendar, numbers: OrderNumbers) {
    this.#sql = sql;
    this.#calendar = calendar;
    this.#numbers = numbers;
  }

  /** Does what looks for much, within one transaction in which no order is added. */
  steady<A>(work: () => A): A {
    return this.#numbers.steady(work);
  }

  /** To be called when orders have changed. */
  forget(): void {
    this.#orders.clear();
    this.#numberOf.clear();
  }

  /** Notes what an order is now, whose row the transaction under way has written. */
  noteChanged(no: number, order: MatchOrder): void {
    this.#changed.set(no, order);
    this.#changedNumbers.set(order.orderId, no);
  }

  /** To be called when what was noted has been looked at, or its transaction was rolled back. */
  forgetChanged(): void {
    this.#changed.clear();
    this.#changedNumbers.clear();
  }

  /** The number of an order; null where there is none of this id. */
  number(id: OrderId): number | null {
    const known = this.#changedNumbers.get(id) ?? this.#numberOf.get(id);
    if (known !== undefined) return known;
    const row = this.#numbers.row(id);
    return row === null ? null : this.#kept(row);
  }

  /** The order of a number; null where there is none. */
  at(no: number): MatchOrder | null {
    const known = this.#changed.get(no) ?? this.#orders.get(no);
    if (known !== undefined) return known;
    const row = this.#sql.get(orderStatements.byNo, { no });
    if (row === undefined) return null;
    this.#kept(row);
    return this.#orders.get(no) ?? null;
  }

  /** Keeps what a row says of its order, which is asked for next; answers its number. */
  #kept(row: WholeOrderRow): number {
    const order = matchOrderOf(storedOrder(row).order.state, this.#calendar);
    this.#orders.set(row.no, order);
    this.#numberOf.set(order.orderId, row.no);
    return row.no;
  }
}
