import type { BusinessDay } from '../../src/domain/business-day.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import { plainText, plus, ZERO } from '../../src/domain/exact.ts';
import type { MatchSettings } from '../../src/domain/match-settings.ts';
import type { Component } from './component.ts';
import { bankAmount } from './match-keys.ts';
import { dueOf, type Due, type MatchOrder } from './match-order.ts';

/** Orders of one kind and day that nothing was found for. */
export type AwaitedPart = {
  readonly due: Due;
  /** What they are missed by, where that is not the day of their item; of payouts that are not confirmed nothing hangs on it. */
  readonly day?: BusinessDay;
  readonly currency: string;
  /** Of an on-ramp order the chain that it is held against; of payouts nothing hangs on it. */
  readonly chainId: Decimal;
  /** What the bank is to move, in plain notation: the sum over those for which something is due, and no others. */
  readonly amount: Decimal;
};

/**
 * What an item waits for: what becomes of it is a matter of the day (see `awaitedState`). It says the first kind of its orders,
 * and the others, where somebody has accepted several together, in `also`, which is left out where there are none.
 */
export type Awaited = AwaitedPart & { readonly also?: readonly AwaitedPart[] };

/** Orders of an item without lines that something is due for, and nothing was found. No transfer is a payout's. */
const lackingIn = ({ orders, lines, transfers }: Component): readonly MatchOrder[] =>
  lines.length > 0
    ? []
    : orders.filter((order) => dueOf(order) !== null && (order.flow === 'offramp' || transfers.length === 0));

type OfOneKind = {
  readonly due: Due;
  readonly day: BusinessDay | null;
  readonly orders: [MatchOrder, ...MatchOrder[]];
};

const partOf = ({ due, day, orders }: OfOneKind, itemDay: BusinessDay, settings: MatchSettings): AwaitedPart => {
  const [{ currency, chainId }] = orders;
  const amount = plainText(orders.reduce((sum, order) => plus(sum, bankAmount(order, settings)), ZERO));
  return { due, ...(day === null || day === itemDay ? {} : { day }), currency, chainId, amount };
};

/** The day from which on it is counted when an order is missed; null of a payout that is not confirmed, which never is. */
const countedFrom = (due: Due, { settledDay, createdDay }: MatchOrder): BusinessDay | null =>
  due === 'deemed' ? null : (settledDay ?? createdDay);

/**
 * What an item waits for; null where it lacks nothing. Kinds come in the order of its orders.
 *
 * @param itemDay the day of the item, which may be that of another order in it
 */
export const awaitedOf = (component: Component, itemDay: BusinessDay, settings: MatchSettings): Awaited | null => {
  const kinds = new Map<string, OfOneKind>();
  for (const order of lackingIn(component)) {
    const due = dueOf(order);
    if (due === null) continue;
    const day = countedFrom(due, order);
    const kind = JSON.stringify([due, order.currency, due === 'onramp' ? order.chainId : null, day]);
    const known = kinds.get(kind);
    if (known === undefined) kinds.set(kind, { due, day, orders: [order] });
    else known.orders.push(order);
  }
  const [first, ...also] = [...kinds.values()].map((its) => partOf(its, itemDay, settings));
  if (first === undefined) return null;
  return also.length === 0 ? first : { ...first, also };
};
