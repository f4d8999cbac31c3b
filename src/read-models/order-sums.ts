import { plainText, plus, ZERO, type Exact } from '../domain/exact.ts';
import type { Decimal } from '../domain/decimal.ts';
import { compareTexts } from './text-order.ts';

/** What the orders of a list come to, all pages together. */
export type OrderTotal = {
  readonly orders: number;
  /** Whether more orders were left uncounted. */
  readonly atLeast: boolean;
  /** Amounts of different currencies are never added. */
  readonly byCurrency: readonly { readonly currency: string; readonly fiat: Decimal }[];
};

/** Counts orders, and sums their fiat for each currency. */
export class OrderSums {
  readonly #fiat = new Map<string, Exact>();
  #orders = 0;

  add(currency: string, orders: number, fiat: Exact): void {
    this.#orders += orders;
    this.#fiat.set(currency, plus(this.#fiat.get(currency) ?? ZERO, fiat));
  }

  total(atLeast: boolean): OrderTotal {
    const byCurrency = [...this.#fiat].map(([currency, fiat]) => ({ currency, fiat: plainText(fiat) }));
    byCurrency.sort((a, b) => compareTexts(a.currency, b.currency));
    return { orders: this.#orders, atLeast, byCurrency };
  }
}
