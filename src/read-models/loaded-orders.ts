import type { OrderAlone } from '../../projections/match/match-item.ts';
import type { Decimal } from '../domain/decimal.ts';
import { classKey } from './match-class.ts';
import type { KeptOrder } from './order-row.ts';
import { SharedTexts } from './shared-texts.ts';

/** What is due for an order, as summaries of the match count it. `class`: the index of a class. */
type LoadedAwaited = readonly [class_: number, day: string, fiat: Decimal];

/** A kept order by the places of its fields; `facet`: the index of a facet. */
type LoadedRow = readonly [
  orderId: KeptOrder['orderId'],
  facet: number,
  createdAt: KeptOrder['createdAt'],
  createdDay: KeptOrder['createdDay'],
  settledDay: KeptOrder['settledDay'],
  clockAfter: KeptOrder['clockAfter'],
  state: KeptOrder['state'],
  otherUtrs: KeptOrder['otherUtrs'],
  awaited: LoadedAwaited | null,
];

/**
 * Orders of a build on their way to the thread that writes them. As objects each of them would take along the names of its
 * fields, and keys that hundreds of them share.
 */
export type LoadedOrders = {
  /** The number of the first one; the others follow. */
  readonly first: number;
  readonly rows: readonly LoadedRow[];
  readonly facetKeys: readonly string[];
  readonly classKeys: readonly string[];
  /** In pairs: the digest of what no other order may claim, and the number of the order. */
  readonly claims: Float64Array;
};

/** Gathers orders, under numbers from `first` on. */
export class OrderLoad {
  readonly #first: number;
  readonly #rows: LoadedRow[] = [];
  readonly #facets = new SharedTexts();
  readonly #classes = new SharedTexts();
  readonly #claims: number[] = [];

  constructor(first: number) {
    this.#first = first;
  }

  /**
   * Adds an order; answers its number.
   *
   * @param alone null where nothing is due
   * @param claims digests of what no other order may claim
   */
  add(kept: KeptOrder, alone: OrderAlone | null, claims: readonly number[]): number {
    const { orderId, facetKey, createdAt, createdDay, settledDay, clockAfter, state, otherUtrs } = kept;
    const facet = this.#facets.indexOf(facetKey);
    const awaited: LoadedAwaited | null =
      alone === null ? null : [this.#classes.indexOf(classKey(alone)), alone.day, alone.fiat];
    const no = this.#first + this.#rows.length;
    this.#rows.push([orderId, facet, createdAt, createdDay, settledDay, clockAfter, state, otherUtrs, awaited]);
    for (const claim of claims) this.#claims.push(claim, no);
    return no;
  }

  /** What was gathered. */
  loaded(): LoadedOrders {
    return {
      first: this.#first,
      rows: this.#rows,
      facetKeys: this.#facets.texts,
      classKeys: this.#classes.texts,
      claims: Float64Array.from(this.#claims),
    };
  }
}

/** Hands over the orders, each under its number. */
export function* eachLoaded({ first, rows, facetKeys, classKeys }: LoadedOrders): Generator<LoadedOrder, void> {
  for (const [i, row] of rows.entries()) {
    const [orderId, facet, createdAt, createdDay, settledDay, clockAfter, state, otherUtrs, due] = row;
    const facetKey = facetKeys[facet] ?? '';
    const kept = { orderId, facetKey, createdAt, createdDay, settledDay, clockAfter, state, otherUtrs };
    const awaited = due === null ? null : { classKey: classKeys[due[0]] ?? '', day: due[1], fiat: due[2] };
    yield { no: first + i, kept, awaited };
  }
}

/** What is due for an order, as summaries of the match count it. */
export type AwaitedOrder = { readonly classKey: string; readonly day: string; readonly fiat: Decimal };

/** An order of a build under its number. */
export type LoadedOrder = {
  readonly no: number;
  readonly kept: KeptOrder;
  readonly awaited: AwaitedOrder | null;
};
