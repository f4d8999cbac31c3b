/** What a measured stretch of deliveries consists of. */
export type IngestMode = 'distinct' | 'duplicates' | 'four';

export const INGEST_MODES: readonly IngestMode[] = ['distinct', 'duplicates', 'four'];

/** One delivery of a run: which order it is about, and how far that order has come. */
export type Delivery = { readonly order: number; readonly step: number };

type Rules = {
  readonly title: string;
  /** What the ledger answers to every delivery of the mode; anything else fails the run. */
  readonly outcome: 'recorded' | 'duplicate';
  /** Whether the same requests are sent again and again; else each is sent once. */
  readonly repeats: boolean;
  /** The delivery that stands at a place of the run, counted from 0. */
  readonly deliveryAt: (place: number) => Delivery;
};

/** Deliveries for each order in the mode `four`; every walk of order-payload.ts has as many statuses. */
const STEPS = 4;

/** How many other orders come between two statuses of one order; three times as many are under way at any moment. */
const ORDERS_BETWEEN = 5_000;

/** Each delivery is of an order of its own. */
export const firstStatus = (place: number): Delivery => ({ order: place, step: 0 });

/**
 * An endless stream cut in the middle: each place belongs to one status of an order that began `step` times
 * `ordersBetween` orders ago, so that no delivery comes near another of its order, and none comes early.
 */
export const interleaved =
  (ordersBetween: number) =>
  (place: number): Delivery => {
    const step = place % STEPS;
    return { order: Math.floor(place / STEPS) + (STEPS - step) * ordersBetween, step };
  };

export const INGEST_RULES: Readonly<Record<IngestMode, Rules>> = {
  distinct: { title: 'distinct orders', outcome: 'recorded', repeats: false, deliveryAt: firstStatus },
  duplicates: { title: 'all duplicates', outcome: 'duplicate', repeats: true, deliveryAt: firstStatus },
  four: { title: 'four an order', outcome: 'recorded', repeats: false, deliveryAt: interleaved(ORDERS_BETWEEN) },
};
