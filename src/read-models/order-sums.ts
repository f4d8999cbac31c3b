import { plainText, plus, ZERO, type Exact } from '../domain/exact.ts';
import type { Decimal } from '../domain/decimal.ts';
import { compareTexts } from './text-order.ts';

/** What the orders of a list come to, all pages together. */
export type OrderTotal = {
  readonly orders: number;
  /** Whether more orders were left uncounted. */
  readonly atLeast: boolean;
  /** Amounts of different currencies are never added. */
  readonly byCurrency: readonly { readonly currency: string; readonly orders: number; readonly fiat: Decimal }[];
};

/** Counts orders, and sums their fiat for each currency. */
export class OrderSums {
  readonly #sums = new Map<string, { readonly orders: number; readonly fiat: Exact }>();

  /** Adds orders of one currency; fewer than none are taken out. */
  add(currency: string, orders: number, fiat: Exact): void {
    const known = this.#sums.get(currency);
    this.#sums.set(currency, { orders: (known?.orders ?? 0) + orders, fiat: plus(known?.fiat ?? ZERO, fiat) });
  }

  /**
   * What was added; a currency of which no order is left is not there.
   *
   * @param withoutSums see `OrdersQuestion`
   */
  total(atLeast: boolean, withoutSums = false): OrderTotal {
    const byCurrency = [...this.#sums]
      .filter(([, { orders }]) => orders !== 0)
      .map(([currency, { orders, fiat }]) => ({ currency, orders, fiat: plainText(fiat) }));
    byCurrency.sort((a, b) => compareTexts(a.currency, b.currency));
    const orders = byCurrency.reduce((sum, its) => sum + its.orders, 0);
    return { orders, atLeast, byCurrency: withoutSums ? [] : byCurrency };
  }
}
