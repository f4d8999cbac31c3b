import type { MatchIndex } from './match-index.ts';
import { orderHashKey } from './match-keys.ts';
import { dueOf, type MatchOrder } from './match-order.ts';

const isPaidWith = ({ payouts }: MatchOrder, utr: string): boolean =>
  payouts.some((payout) => payout.utr === utr && payout.state === 'paid');

/** Orders of one payment. */
type Doubles = {
  /** Equal for all of them. */
  readonly key: string;
  readonly orders: () => readonly MatchOrder[];
};

/** Orders that were paid with the same utr, or settled by the same transaction, it among them. */
export const doublesOf = (order: MatchOrder, index: MatchIndex): readonly Doubles[] => {
  const utrs = order.payouts.flatMap(({ utr, state }) => (utr !== null && state === 'paid' ? [utr] : []));
  const hash = dueOf(order) === 'onramp' ? orderHashKey(order) : null;
  const ofUtrs = utrs.map((utr) => ({
    key: `utr ${utr}`,
    orders: () => index.ordersWithUtr(utr).filter((other) => isPaidWith(other, utr)),
  }));
  if (hash === null) return ofUtrs;
  const isSettledBy = (other: MatchOrder): boolean => dueOf(other) === 'onramp' && orderHashKey(other) === hash;
  return [...ofUtrs, { key: `hash ${hash}`, orders: () => index.ordersWithHash(hash).filter(isSettledBy) }];
};
