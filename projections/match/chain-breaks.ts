import { normalised } from '../../src/domain/decimal.ts';
import { exactOf, exactOrd, plainText, plus, ZERO, type Exact } from '../../src/domain/exact.ts';
import { tokenKey } from '../../src/domain/token-key.ts';
import { hexKey } from '../../src/domain/transfer.ts';
import { breakOf, type Break } from './break.ts';
import type { Component } from './component.ts';
import type { MatchTransfer } from './match-index.ts';
import { orderHashKey, transferHashKey } from './match-keys.ts';
import { dueOf, mayHaveMoved, type MatchOrder } from './match-order.ts';

const isIts = ({ token }: MatchTransfer, order: MatchOrder): boolean =>
  tokenKey(token) === tokenKey(order.tokenAddress);

const isTo = ({ to }: MatchTransfer, { walletAddress }: MatchOrder): boolean => hexKey(to) === hexKey(walletAddress);

const sum = (amounts: readonly Exact[]): Exact => amounts.reduce(plus, ZERO);

/** What the chain moved against what the order says, in base units where both are known, else in tokens. */
const amountBreaks = (orders: readonly MatchOrder[], transfers: readonly MatchTransfer[]): readonly Break[] => {
  const units = transfers.flatMap(({ baseUnits }) => (baseUnits === null ? [] : [exactOf(baseUnits)]));
  const unitsDue = orders.flatMap(({ baseUnits }) => (baseUnits === null ? [] : [exactOf(baseUnits)]));
  const inUnits = units.length === transfers.length && unitsDue.length === orders.length;
  const tokens = transfers.flatMap(({ amount }) => (amount === null ? [] : [exactOf(normalised(amount))]));
  const tokensDue = orders.flatMap((order) => (order.tokens === null ? [] : [exactOf(order.tokens)]));
  const inTokens = tokens.length === transfers.length && tokensDue.length === orders.length;
  if (!inUnits && !inTokens) return [];
  const [moved, due] = inUnits ? [sum(units), sum(unitsDue)] : [sum(tokens), sum(tokensDue)];
  const order = exactOrd.compare(moved, due);
  if (order === 0) return [];
  const field = inUnits ? 'baseUnits' : 'tokenAmount';
  return [
    breakOf(order > 0 ? 'amount-over' : 'amount-under', field, { order: plainText(due), chain: plainText(moved) }),
  ];
};

/** A transaction may move other things beside what the order is about: what goes to its wallet in its token counts. */
const ofOrders = (orders: readonly MatchOrder[], transfers: readonly MatchTransfer[]): readonly Break[] => {
  const [first] = orders;
  if (first === undefined) return [];
  const isOwn = (transfer: MatchTransfer): boolean =>
    orders.some((order) => isIts(transfer, order) && isTo(transfer, order));
  const succeeded = transfers.filter(({ status }) => status === 'success');
  if (succeeded.length === 0) {
    const chain = [...new Set(transfers.map(({ status }) => status))].toSorted().join(', ');
    return [breakOf('missing-on-chain', 'status', { order: first.status, chain })];
  }
  const own = succeeded.filter(isOwn);
  if (own.length > 0) return amountBreaks(orders, own);
  const inToken = succeeded.filter((transfer) => orders.some((order) => isIts(transfer, order)));
  const toWallet = succeeded.filter((transfer) => orders.some((order) => isTo(transfer, order)));
  const nearest = inToken.length > 0 ? inToken : toWallet.length > 0 ? toWallet : succeeded;
  const [one] = nearest;
  if (one === undefined) return [];
  return [
    ...(inToken.length > 0
      ? []
      : [breakOf('token-mismatch', 'token', { order: first.tokenAddress, chain: one.token })]),
    ...(toWallet.length > 0 && inToken.length === 0
      ? []
      : [breakOf('recipient-mismatch', 'to', { order: first.walletAddress, chain: one.to })]),
    ...(inToken.length > 0 ? amountBreaks(orders, nearest) : []),
  ];
};

/**
 * On-ramp orders that have nothing of their own: no line, and no transfer of their transaction that succeeded. Somebody accepted
 * them with orders that have one, or with a transfer that is not theirs, and no longer as what they are now.
 */
const withoutOwn = ({ orders, lines, transfers }: Component): readonly Break[] => {
  if (lines.length > 0) return [];
  const hashes = new Set(transfers.filter(({ status }) => status === 'success').map(transferHashKey));
  const lacking = orders.filter((order) => dueOf(order) === 'onramp' && !hashes.has(orderHashKey(order) ?? ''));
  const [first] = lacking;
  return first === undefined ? [] : [breakOf('missing-on-chain', 'txnHash', { order: first.txnHash })];
};

const ofClaiming = ({ orders, transfers, duplicates }: Component): readonly Break[] => {
  const claiming = orders.filter((order) => orderHashKey(order) !== null);
  const moved = claiming.filter(mayHaveMoved);
  const [first] = claiming;
  if (first === undefined) return [];
  if (moved.length === 0) {
    const isMoved = transfers.some(({ status }) => status === 'success');
    return isMoved ? [breakOf('status-conflict', 'status', { order: first.status, chain: 'success' })] : [];
  }
  // One transaction for two orders is named as what it is; what it moved can't be theirs both.
  return duplicates.length > 0 ? [] : ofOrders(moved, transfers);
};

/** What differs between the orders of an item and its transfers on chain, of which there is at least one each. */
export const chainBreaks = (component: Component): readonly Break[] => {
  const breaks = ofClaiming(component);
  return breaks.length > 0 ? breaks : withoutOwn(component);
};
