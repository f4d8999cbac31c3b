/** How many orders there are, and how many of them have settled. */
export type OrderCount = { readonly orders: number; readonly settled: number };

/** Counts on their way from thread to thread. */
export type CountedOrders = {
  /** By the key of the class. */
  readonly facets: readonly (readonly [string, OrderCount])[];
  readonly settledDays: readonly (readonly [string, number])[];
};

/** What is counted of an order: its class, and the day on which it settled. */
type Counted = { readonly facetKey: string; readonly settledDay: string | null };

const NONE: OrderCount = { orders: 0, settled: 0 };

/** Counts orders by class and by day of settlement; counts that came to nothing are left out. */
export class OrderCounts implements CountedOrders {
  readonly #facets = new Map<string, OrderCount>();
  readonly #days = new Map<string, number>();

  add({ facetKey, settledDay }: Counted): void {
    this.#count(facetKey, settledDay, 1);
  }

  /** Takes out what was added. */
  remove({ facetKey, settledDay }: Counted): void {
    this.#count(facetKey, settledDay, -1);
  }

  /** Adds what others have counted. */
  addAll({ facets, settledDays }: CountedOrders): void {
    for (const [key, count] of facets) {
      const { orders, settled } = this.#facets.get(key) ?? NONE;
      this.#facets.set(key, { orders: orders + count.orders, settled: settled + count.settled });
    }
    for (const [day, orders] of settledDays) this.#days.set(day, (this.#days.get(day) ?? 0) + orders);
  }

  /** By the key of the class. */
  get facets(): readonly (readonly [string, OrderCount])[] {
    return [...this.#facets].filter(([, { orders, settled }]) => orders !== 0 || settled !== 0);
  }

  get settledDays(): readonly (readonly [string, number])[] {
    return [...this.#days].filter(([, orders]) => orders !== 0);
  }

  #count(facetKey: string, settledDay: string | null, one: 1 | -1): void {
    const { orders, settled } = this.#facets.get(facetKey) ?? NONE;
    this.#facets.set(facetKey, { orders: orders + one, settled: settledDay === null ? settled : settled + one });
    if (settledDay !== null) this.#days.set(settledDay, (this.#days.get(settledDay) ?? 0) + one);
  }
}
