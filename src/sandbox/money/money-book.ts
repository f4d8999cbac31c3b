import type { MoneyOrder } from './money-order.ts';

/** The latest orders, up to a number of them, as bank and chain know them. */
export class MoneyBook {
  readonly #most: number;
  readonly #orders = new Map<string, MoneyOrder>();
  #version = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** How often something was noted. */
  get version(): number {
    return this.#version;
  }

  note(order: MoneyOrder): void {
    this.#version += 1;
    this.#orders.delete(order.orderId);
    this.#orders.set(order.orderId, order);
    const [oldest] = this.#orders.keys();
    if (this.#orders.size > this.#most && oldest !== undefined) this.#orders.delete(oldest);
  }

  /** By their ids, so that what is made of them does not hang on the order in which they came. */
  all(): readonly MoneyOrder[] {
    return [...this.#orders.values()].toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1));
  }
}
