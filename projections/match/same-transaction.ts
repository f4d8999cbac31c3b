import { edgesTo, type DecidedNode, type Edge } from './edge.ts';
import type { MatchIndex, MatchTransfer } from './match-index.ts';
import { orderHashKey, transferHashKey } from './match-keys.ts';
import { mayHaveMoved, type MatchOrder } from './match-order.ts';
import type { NodeGroups } from './node-groups.ts';
import { orderNode, transferNode, type NodeName } from './node.ts';

/** Which transfers are of which orders, by their transaction. */
export class SameTransaction {
  readonly #index: MatchIndex;
  /** By the hash: many orders and transfers may be of one transaction. */
  readonly #orders = new Map<string, ReadonlySet<NodeName>>();

  constructor(index: MatchIndex) {
    this.#index = index;
  }

  ofOrder(order: MatchOrder, node: DecidedNode, groups: NodeGroups): readonly Edge[] {
    const hash = orderHashKey(order);
    if (hash === null || !this.#ordersOf(hash).has(node.name)) return [];
    if (!groups.isOpen(`transfers ${hash}`, node.decisions)) return [];
    const transfers = this.#index.transfersWithHash(hash).map(({ transferId }) => transferNode(transferId));
    return edgesTo(node, transfers, 'txn-hash');
  }

  ofTransfer(transfer: MatchTransfer, node: DecidedNode, groups: NodeGroups): readonly Edge[] {
    const hash = transferHashKey(transfer);
    return groups.isOpen(`orders ${hash}`, node.decisions) ? edgesTo(node, [...this.#ordersOf(hash)], 'txn-hash') : [];
  }

  /** Orders of a transaction: those whose tokens may have moved, else all. */
  #ordersOf(hash: string): ReadonlySet<NodeName> {
    const known = this.#orders.get(hash);
    if (known !== undefined) return known;
    const found = this.#index.ordersWithHash(hash).filter((order) => orderHashKey(order) === hash);
    const moved = found.filter(mayHaveMoved);
    const names = new Set((moved.length > 0 ? moved : found).map(({ orderId }) => orderNode(orderId)));
    this.#orders.set(hash, names);
    return names;
  }
}
