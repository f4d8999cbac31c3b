import { awaitedState, type Today } from '../../../projections/match/awaited-state.ts';
import { factsOf, orderFact, transferFact } from '../../../projections/match/decided-facts.ts';
import type { MatchDecision } from '../../../projections/match/decision.ts';
import { matchAll } from '../../../projections/match/match-all.ts';
import type { MatchItem } from '../../../projections/match/match-item.ts';
import type { MatchOrder } from '../../../projections/match/match-order.ts';
import type { MatchSources } from '../../../projections/match/memory-index.ts';
import { branded } from '../../../src/domain/brand.ts';
import { USUAL_MATCH_SETTINGS } from '../../../src/domain/match-settings.ts';
import { utcCalendar } from './match-scene.ts';
import type { Facts } from './due-sources.ts';

/** The items that they make. */
export const matched = (all: MatchSources): readonly MatchItem[] => matchAll(all, USUAL_MATCH_SETTINGS, utcCalendar);

/** What is shown of items on a day: the state, and the breaks of the day. */
export const shownOf = (item: MatchItem, on: Today) => {
  const becomes = item.awaited === null ? null : awaitedState(item.awaited, item.day, on);
  if (item.state !== 'awaited') return { item, state: item.state, breaks: [] };
  return becomes === null ? null : { item, ...becomes };
};

// What a person would say who has one item's papers before them.

/** Whether money was paid out for it, or its tokens were delivered. */
export const wasPaid = (order: MatchOrder): boolean =>
  order.flow === 'offramp'
    ? order.payouts.some(({ state }) => state === 'paid')
    : // Its tokens were delivered.
      order.settledDay !== null;

const isOpenPayout = (order: MatchOrder): boolean => order.flow === 'offramp' && order.status === 'fiatDeemed';

/** Whether something must be found for it. */
export const isWanted = (order: MatchOrder): boolean => wasPaid(order) || isOpenPayout(order);

/** An item with what it is made of. */
export type Papers = Facts & { readonly item: MatchItem };

/** The papers of an item. */
export const papersOf = (item: MatchItem, all: MatchSources): Papers => {
  const has = (kind: string, id: string): boolean => item.members.some((name) => name === `${kind}:${id}`);
  return {
    item,
    orders: all.orders.filter(({ orderId }) => has('order', orderId)),
    lines: all.lines.filter(({ lineId }) => has('line', lineId)),
    transfers: all.transfers.filter(({ transferId }) => has('transfer', transferId)),
  };
};

/** What an order does to the bank account once all is done; null where nobody can say yet. */
const toTheAccount = (order: MatchOrder): number => {
  if (order.flow === 'offramp') return isWanted(order) ? -Number(order.fiat) : 0;
  const isIn = ['fiatReceived', 'completed', 'refunding'].includes(order.status);
  return isIn ? Number(order.fiat) : 0;
};

/** Whether what an order moved stands among the papers. */
export const hasItsMoney = (order: MatchOrder, { orders, lines, transfers }: Papers): boolean => {
  if (lines.length > 0) {
    const booked = lines.reduce(
      (sum, { direction, amount }) => sum + Number(amount) * (direction === 'in' ? 1 : -1),
      0,
    );
    const isOfIt = lines.every((it) => orders.every((other) => it.currency === branded(other.currency)));
    return isOfIt && booked === orders.reduce((sum, it) => sum + toTheAccount(it), 0);
  }
  if (order.flow === 'offramp') return false;
  return transfers.some(
    ({ txnHash, chainId, status }) =>
      status === 'success' && txnHash === branded(order.txnHash ?? '') && String(chainId) === order.chainId,
  );
};

/** Whether a decision accepts exactly these papers. */
export const saysSo = (decision: MatchDecision, { item, orders, transfers }: Papers): boolean =>
  decision.decision === 'accept' &&
  JSON.stringify(decision.group) === JSON.stringify(item.members) &&
  decision.facts === factsOf([...orders.map(orderFact), ...transfers.map(transferFact)]);

/** Sums of what is missed, by kind and currency. */
export const sumsOf = (orders: readonly MatchOrder[]): readonly string[] =>
  [...Map.groupBy(orders, (it) => JSON.stringify([it.flow, it.currency, it.flow === 'onramp' ? it.chainId : null]))]
    .map(([, its]) => String(its.reduce((sum, { fiat }) => sum + Number(fiat), 0)))
    .toSorted();
