import type { MatchSettings } from '../../src/domain/match-settings.ts';
import { acceptedOnce } from './accepted.ts';
import type { Component } from './component.ts';
import type { MatchDecision } from './decision.ts';
import { doublesOf } from './double-payments.ts';
import { duplicatesAmong } from './duplicates-among.ts';
import { edgesTo, type DecidedNode, type Edge } from './edge.ts';
import { inLeadOrder } from './lead-order.ts';
import type { MatchIndex, MatchLine, MatchTransfer } from './match-index.ts';
import { dueOf, type MatchOrder } from './match-order.ts';
import { NamedOrders } from './named-orders.ts';
import { NodeGroups } from './node-groups.ts';
import { lineNode, nodeOf, orderNode, type NodeName } from './node.ts';
import type { MatchRule } from './rule.ts';
import { SameDay } from './same-day.ts';
import { SameTransaction } from './same-transaction.ts';

const lineIdOf = ({ lineId }: MatchLine): string => lineId;

const byName = <A>(idOf: (it: A) => string, found: readonly A[]): readonly A[] =>
  found.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));

/** Finds what belongs together, from any node on. What joins two nodes is the same seen from either. */
export class Components {
  readonly #index: MatchIndex;
  readonly #named: NamedOrders;
  readonly #sameDay: SameDay;
  readonly #sameTransaction: SameTransaction;

  constructor(index: MatchIndex, settings: MatchSettings) {
    this.#index = index;
    this.#named = new NamedOrders(index);
    this.#sameDay = new SameDay(index, settings, this.#named);
    this.#sameTransaction = new SameTransaction(index);
  }

  /** What a node belongs to; null where it is none any more, or makes no item by itself. */
  of(start: NodeName): Component | null {
    const members = new Set<NodeName>();
    const rules = new Set<MatchRule>();
    const [orders, lines, transfers]: [MatchOrder[], MatchLine[], MatchTransfer[]] = [[], [], []];
    const decisions = new Map<string, MatchDecision>();
    const weak = { orders: new Set<NodeName>(), lines: new Set<NodeName>() };
    const groups = new NodeGroups();
    const waiting = [start];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (members.has(name)) continue;
      const node = nodeOf(name);
      const [order, line, transfer] = [
        node.kind === 'order' ? this.#index.order(node.id) : null,
        node.kind === 'line' ? this.#index.line(node.id) : null,
        node.kind === 'transfer' ? this.#index.transfer(node.id) : null,
      ];
      if (order !== null) orders.push(order);
      else if (line !== null) lines.push(line);
      else if (transfer !== null) transfers.push(transfer);
      // A decision may name what another ledger's log had, or an order that is no more.
      else continue;
      members.add(name);
      const its = this.#index.decisionsOn(name);
      for (const decision of its) decisions.set(decision.itemId, decision);
      const from: DecidedNode = { name, decisions: its };
      const edges = [
        ...(order === null ? [] : this.#ofOrder(order, from, groups)),
        ...(line === null ? [] : this.#ofLine(line, from, groups)),
        ...(transfer === null ? [] : this.#sameTransaction.ofTransfer(transfer, from, groups)),
        ...acceptedOnce(from, groups),
      ];
      for (const { to, rule } of edges) {
        if (rule !== null) rules.add(rule);
        if (rule === 'amount-and-day') weak[nodeOf(to).kind === 'order' ? 'orders' : 'lines'].add(to);
        waiting.push(to);
      }
    }
    const [only] = orders;
    if (only === undefined ? members.size === 0 : members.size === 1 && dueOf(only) === null) return null;
    return {
      members: [...members].toSorted(),
      orders: inLeadOrder(orders),
      lines: byName(lineIdOf, lines),
      transfers: byName(({ transferId }) => transferId, transfers),
      rules,
      isAmbiguous: weak.orders.size > 1 || weak.lines.size > 1,
      duplicates: duplicatesAmong(orders),
      decisions: [...decisions.values()],
    };
  }

  #ofOrder(order: MatchOrder, from: DecidedNode, groups: NodeGroups): readonly Edge[] {
    const naming = this.#named.linesOf(order, from);
    const doubles = doublesOf(order, this.#index)
      .filter(({ key }) => groups.isOpen(key, from.decisions))
      .flatMap(({ orders }) => orders().map(({ orderId }) => orderNode(orderId)));
    return [
      ...naming.map(({ line, rule }) => ({ to: lineNode(line.lineId), rule })),
      ...edgesTo(from, doubles, null),
      ...this.#sameTransaction.ofOrder(order, from, groups),
      ...(naming.length === 0 ? this.#sameDay.ofOrder(order, from, groups) : []),
    ];
  }

  #ofLine(line: MatchLine, from: DecidedNode, groups: NodeGroups): readonly Edge[] {
    const edges = [...this.#named.ordersOf(line)].flatMap(([orderId, rule]) =>
      edgesTo(from, [orderNode(orderId)], rule),
    );
    return edges.length === 0 ? this.#sameDay.ofLine(line, from, groups) : edges;
  }
}
