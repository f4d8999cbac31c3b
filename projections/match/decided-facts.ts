import { normalised, type Decimal } from '../../src/domain/decimal.ts';
import { sha256 } from '../../src/domain/sha256.ts';
import { hexKey } from '../../src/domain/transfer.ts';
import type { MatchTransfer } from './match-index.ts';
import { orderHashKey } from './match-keys.ts';
import { dueOf, isPaidBack, type MatchOrder } from './match-order.ts';
import { orderNode, transferNode, type NodeName } from './node.ts';

/** A node, and what it says that somebody decides by. */
export type NodeFact = readonly [name: NodeName, fact: string];

const valueOf = (amount: Decimal | null): Decimal | null => (amount === null ? null : normalised(amount));

/**
 * What an order says of the money that was to move, in one spelling: its status may go on without a change of that, and
 * so may the zone that its days are of.
 */
export const orderFact = (order: MatchOrder): NodeFact => [
  orderNode(order.orderId),
  JSON.stringify([
    // A refund turns round what the bank must have, and so what somebody decided on.
    isPaidBack(order) ? 'refund' : dueOf(order),
    order.currency,
    [order.fiat, order.tds, order.commission, order.tokens].map(valueOf),
    order.payouts.map(({ utr, state }) => [utr, state]),
    orderHashKey(order),
    [order.tokenAddress, order.walletAddress].map(hexKey),
    order.baseUnits,
  ]),
];

/** What a transfer says; the blocks that confirm it are no part of it. */
export const transferFact = ({ transferId, status, baseUnits, amount }: MatchTransfer): NodeFact => [
  transferNode(transferId),
  JSON.stringify([status, baseUnits, valueOf(amount)]),
];

/** A digest of what some nodes say. Lines never change, and are no part of it. */
export const factsOf = (facts: readonly NodeFact[]): string =>
  sha256(JSON.stringify(facts.toSorted(([a], [b]) => (a < b ? -1 : 1))));
