import { orderHashKey } from './match-keys.ts';
import { dueOf, type MatchOrder } from './match-order.ts';

/** A reference of a payment, or the hash of a transaction, that more than one order has. */
export type Duplicate = { readonly field: 'utr' | 'txnHash'; readonly value: string };

/** Utrs of paid payouts and hashes of settled orders that several have. */
export const duplicatesAmong = (orders: readonly MatchOrder[]): readonly Duplicate[] => {
  const counts = new Map<string, Duplicate & { orders: number }>();
  const count = (field: Duplicate['field'], value: string): void => {
    const key = JSON.stringify([field, value]);
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { field, value, orders: 1 });
    else known.orders += 1;
  };
  for (const order of orders) {
    const paid = order.payouts.flatMap(({ utr, state }) => (utr !== null && state === 'paid' ? [utr] : []));
    for (const utr of new Set(paid)) count('utr', utr);
    if (dueOf(order) === 'onramp' && orderHashKey(order) !== null)
      count('txnHash', orderHashKey(order)?.split(' ')[1] ?? '');
  }
  return [...counts]
    .filter(([, { orders: having }]) => having > 1)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { field, value }]) => ({ field, value }));
};
