import { dueOf, type Due, type MatchOrder } from './match-order.ts';

/** What is surely due first: what an item is told by must not be what nothing is due for, or a payout would be hidden behind it. */
const RANKS: Readonly<Record<Due, string>> = { payout: '0', deemed: '1', onramp: '2' };
const NOTHING_DUE = '3';

/** What anything is told of an order by, the weightiest first. Its name comes last, and decides nothing. */
const keysOf = (order: MatchOrder): readonly string[] => {
  const due = dueOf(order);
  return [
    due === null ? NOTHING_DUE : RANKS[due],
    order.currency,
    order.chainId,
    order.settledDay ?? '',
    order.createdDay,
    order.flow,
    order.status,
    order.tokenAddress,
    order.walletAddress,
    order.orderId,
  ];
};

const compareKeys = (a: readonly string[], b: readonly string[]): number => {
  for (const [at, key] of a.entries()) {
    const other = b[at] ?? '';
    if (key !== other) return key < other ? -1 : 1;
  }
  return 0;
};

/**
 * Orders of an item, that first by which it is told: its flow, its currency, and what its breaks say of the order. It goes by
 * what they say and not by their names, so that nothing hangs on how a provider numbers orders.
 */
export const inLeadOrder = (orders: readonly MatchOrder[]): readonly MatchOrder[] => {
  if (orders.length < 2) return orders;
  return orders
    .map((order) => ({ order, keys: keysOf(order) }))
    .toSorted((a, b) => compareKeys(a.keys, b.keys))
    .map(({ order }) => order);
};
