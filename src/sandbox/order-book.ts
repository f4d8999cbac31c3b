import type { JsonObject } from '../domain/json.ts';
import type { SandboxOrder } from './sandbox-order.ts';

/** The latest orders, up to a number of them, each with the status that it came to. */
export class OrderBook {
  readonly #most: number;
  readonly #orders = new Map<string, { readonly order: SandboxOrder; status: string }>();

  constructor(most: number) {
    this.#most = most;
  }

  has(orderId: string): boolean {
    return this.#orders.has(orderId);
  }

  note(order: SandboxOrder, status: string): void {
    this.#orders.delete(order.orderId);
    this.#orders.set(order.orderId, { order, status });
    const [oldest] = this.#orders.keys();
    if (this.#orders.size > this.#most && oldest !== undefined) this.#orders.delete(oldest);
  }

  /** As the provider lists them, newest first. The amounts are texts, with the digits of the payloads. */
  list(): readonly JsonObject[] {
    return [...this.#orders.values()].toReversed().map(({ order: { orderId, flow, figures, createdAt }, status }) => ({
      orderId,
      eventType: flow,
      status,
      fiat: figures.fiat,
      currency: figures.currency,
      createdAt,
    }));
  }
}
