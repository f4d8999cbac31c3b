import { decidedOf, groupOfKind, hasAccepted, type MatchDecision } from './decision.ts';
import { duplicatesAmong, type Duplicate } from './duplicates-among.ts';
import type { MatchIndex, MatchLine, MatchTransfer } from './match-index.ts';
import {
  lineDayKey,
  lineWords,
  orderDayKey,
  orderHashKey,
  orderReferences,
  orderWords,
  transferHashKey,
} from './match-keys.ts';
import { dueOf, mayHaveMoved, type MatchOrder } from './match-order.ts';
import type { OrderId } from '../../src/domain/ids.ts';
import type { MatchSettings } from '../../src/domain/match-settings.ts';
import { lineNode, nodeOf, orderNode, transferNode, type NodeName } from './node.ts';
import { linkOf, type MatchRule } from './rule.ts';

/** What belongs together, with what joined it. */
export type Component = {
  /** In code-unit order of their names, as everything below. */
  readonly members: readonly NodeName[];
  readonly orders: readonly MatchOrder[];
  readonly lines: readonly MatchLine[];
  readonly transfers: readonly MatchTransfer[];
  /** Rules that joined any two, each once. */
  readonly rules: ReadonlySet<MatchRule>;
  /** Whether amount and day fit several orders or lines. */
  readonly isAmbiguous: boolean;
  /** Utrs or hashes that several orders have which were paid. */
  readonly duplicates: readonly Duplicate[];
  readonly decisions: readonly MatchDecision[];
};

/** A way from one node to another. */
type Edge = { readonly to: NodeName; readonly rule: MatchRule | null };

const byId = <A>(idOf: (it: A) => string, found: readonly A[]): readonly A[] => [
  ...new Map(found.map((it) => [idOf(it), it])).values(),
];
const orderIdOf = ({ orderId }: MatchOrder): string => orderId;
const lineIdOf = ({ lineId }: MatchLine): string => lineId;

const isPaidWith = ({ payouts }: MatchOrder, utr: string): boolean =>
  payouts.some((payout) => payout.utr === utr && payout.state === 'paid');

const byName = <A>(idOf: (it: A) => string, found: readonly A[]): readonly A[] =>
  found.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));

/**
 * What was gone into from one node of a group whose nodes all lead to the same others: a thousand orders of one amount
 * and day, or of one utr, are gone through once, not once for each. It is not for nodes that somebody decided on: those
 * may be parted from some of the others.
 */
class Groups {
  readonly #seen = new Set<string>();

  /** Whether the group is still to be gone into from a node with these decisions. */
  isOpen(group: string, decisions: readonly MatchDecision[]): boolean {
    if (decisions.length > 0) return true;
    const isNew = !this.#seen.has(group);
    this.#seen.add(group);
    return isNew;
  }
}

/** Finds what belongs together, from any node on. What joins two nodes is the same seen from either. */
export class Components {
  readonly #index: MatchIndex;
  readonly #settings: MatchSettings;
  /** Of lines that were asked for: a large item asks for the same again and again. */
  readonly #keyed = new Map<string, ReadonlyMap<OrderId, MatchRule>>();
  /** Lines and orders that may match by amount and day, by their key. */
  readonly #linesOfDay = new Map<string, readonly NodeName[]>();
  readonly #ordersOfDay = new Map<string, readonly NodeName[]>();

  constructor(index: MatchIndex, settings: MatchSettings) {
    this.#index = index;
    this.#settings = settings;
  }

  /** What a node belongs to; null where it is none any more, or makes no item by itself. */
  of(start: NodeName): Component | null {
    const members = new Set<NodeName>();
    const rules = new Set<MatchRule>();
    const [orders, lines, transfers]: [MatchOrder[], MatchLine[], MatchTransfer[]] = [[], [], []];
    const decisions = new Map<string, MatchDecision>();
    const weak = { orders: new Set<NodeName>(), lines: new Set<NodeName>() };
    const groups = new Groups();
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
      const edges = [
        ...(order === null ? [] : this.#ofOrder(order, name, its, groups)),
        ...(line === null ? [] : this.#ofLine(line, name, its, groups)),
        ...(transfer === null ? [] : this.#ofTransfer(transfer, name, its)),
        ...this.#decidedOnce(name, its, groups),
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
      orders: byName(orderIdOf, orders),
      lines: byName(lineIdOf, lines),
      transfers: byName(({ transferId }) => transferId, transfers),
      rules,
      isAmbiguous: weak.orders.size > 1 || weak.lines.size > 1,
      duplicates: duplicatesAmong(orders),
      decisions: [...decisions.values()],
    };
  }

  #ofOrder(order: MatchOrder, name: NodeName, decisions: readonly MatchDecision[], groups: Groups): readonly Edge[] {
    const edges: Edge[] = [];
    const keyed = this.#linesOf(order, name, decisions);
    for (const { line, rule } of keyed) edges.push({ to: lineNode(line.lineId), rule });
    for (const { key, orders } of this.#doublesOf(order)) {
      if (!groups.isOpen(key, decisions)) continue;
      for (const { orderId } of orders()) {
        const to = orderNode(orderId);
        if (to !== name && decidedOf(decisions, name, to) !== 'parted') edges.push({ to, rule: null });
      }
    }
    const hash = orderHashKey(order);
    if (hash !== null) {
      for (const transfer of this.#index.transfersWithHash(hash)) {
        const to = transferNode(transfer.transferId);
        const isIts = this.#ordersOf(transfer).some(({ orderId }) => orderId === order.orderId);
        if (isIts && decidedOf(decisions, name, to) !== 'parted') edges.push({ to, rule: 'txn-hash' });
      }
    }
    if (keyed.length === 0) edges.push(...this.#sameDayLines(order, name, decisions, groups));
    return edges;
  }

  #ofLine(line: MatchLine, name: NodeName, decisions: readonly MatchDecision[], groups: Groups): readonly Edge[] {
    const edges = [...this.#keyedOrders(line)]
      .map(([orderId, rule]): Edge => ({ to: orderNode(orderId), rule }))
      .filter(({ to }) => decidedOf(decisions, name, to) !== 'parted');
    return edges.length === 0 ? this.#sameDayOrders(line, name, decisions, groups) : edges;
  }

  #ofTransfer(transfer: MatchTransfer, name: NodeName, decisions: readonly MatchDecision[]): readonly Edge[] {
    return this.#ordersOf(transfer)
      .map(({ orderId }) => orderNode(orderId))
      .filter((to) => decidedOf(decisions, name, to) !== 'parted')
      .map((to) => ({ to, rule: 'txn-hash' }));
  }

  /** The same, but for what one decision alone has joined: that is gone into from one of its nodes. */
  #decidedOnce(name: NodeName, decisions: readonly MatchDecision[], groups: Groups): readonly Edge[] {
    const [only, ...more] = decisions;
    if (only === undefined) return [];
    const isOneOfMany = more.length === 0 && hasAccepted(only, name);
    return isOneOfMany && !groups.isOpen(`decision ${only.itemId}`, []) ? [] : this.#decided(name, decisions);
  }

  /** What decisions have joined a node to. */
  #decided(name: NodeName, decisions: readonly MatchDecision[]): readonly Edge[] {
    const accepted = decisions.filter((decision) => hasAccepted(decision, name));
    return [...new Set(accepted.flatMap(({ group }) => group))]
      .filter((to) => to !== name && decidedOf(decisions, name, to) === 'joined')
      .map((to) => ({ to, rule: null }));
  }

  /** Orders that a line names, by its surest rule, before anybody has decided. */
  #keyedOrders(line: MatchLine): ReadonlyMap<OrderId, MatchRule> {
    const known = this.#keyed.get(line.lineId);
    if (known !== undefined) return known;
    const found = byId(orderIdOf, [
      ...line.references.flatMap((reference) => [
        ...this.#index.ordersWithUtr(reference),
        ...this.#index.ordersNamed(reference),
      ]),
      ...lineWords(line).flatMap((word) => this.#index.ordersWithChiefWord(word)),
    ]);
    const links = found.flatMap((order) => {
      const link = linkOf(line, order);
      return link === null ? [] : [{ orderId: order.orderId, ...link }];
    });
    const least = links.reduce((lowest, { rank }) => Math.min(lowest, rank), Infinity);
    const surest = new Map(
      links.flatMap(({ orderId, rule, rank }) => (rank === least ? [[orderId, rule] as const] : [])),
    );
    this.#keyed.set(line.lineId, surest);
    return surest;
  }

  /** Lines that name an order, and no other more surely. */
  #linesOf(
    order: MatchOrder,
    name: NodeName,
    decisions: readonly MatchDecision[],
  ): readonly { readonly line: MatchLine; readonly rule: MatchRule }[] {
    const found = byId(lineIdOf, [
      ...orderReferences(order).flatMap((reference) => this.#index.linesWithReference(reference)),
      ...orderWords(order).flatMap((word) => this.#index.linesWithWord(word)),
    ]);
    return found.flatMap((line) => {
      const rule = this.#keyedOrders(line).get(order.orderId);
      if (rule === undefined || decidedOf(decisions, name, lineNode(line.lineId)) === 'parted') return [];
      return [{ line, rule }];
    });
  }

  /** Orders of a transfer's hash: those whose tokens may have moved, else all. */
  #ordersOf(transfer: MatchTransfer): readonly MatchOrder[] {
    const key = transferHashKey(transfer);
    const found = this.#index.ordersWithHash(key).filter((order) => orderHashKey(order) === key);
    const moved = found.filter(mayHaveMoved);
    return moved.length > 0 ? moved : found;
  }

  /** Orders that were paid with the same utr, or settled by the same transaction, it among them. */
  #doublesOf(order: MatchOrder): readonly { readonly key: string; readonly orders: () => readonly MatchOrder[] }[] {
    const utrs = order.payouts.flatMap(({ utr, state }) => (utr !== null && state === 'paid' ? [utr] : []));
    const hash = dueOf(order) === 'onramp' ? orderHashKey(order) : null;
    const ofUtrs = utrs.map((utr) => ({
      key: `utr ${utr}`,
      orders: () => this.#index.ordersWithUtr(utr).filter((other) => isPaidWith(other, utr)),
    }));
    if (hash === null) return ofUtrs;
    const isSettledBy = (other: MatchOrder): boolean => dueOf(other) === 'onramp' && orderHashKey(other) === hash;
    return [...ofUtrs, { key: `hash ${hash}`, orders: () => this.#index.ordersWithHash(hash).filter(isSettledBy) }];
  }

  /** Whether a node was joined to one of a kind by a decision: then it has what it needs. */
  #isAcceptedWith(name: NodeName, decisions: readonly MatchDecision[], kind: 'order' | 'line'): boolean {
    return decisions
      .filter((decision) => hasAccepted(decision, name))
      .some((decision) =>
        groupOfKind(decision, kind).some((to) => to !== name && decidedOf(decisions, name, to) === 'joined'),
      );
  }

  #mayMatchByDay(order: MatchOrder): boolean {
    const name = orderNode(order.orderId);
    const decisions = this.#index.decisionsOn(name);
    return this.#linesOf(order, name, decisions).length === 0 && !this.#isAcceptedWith(name, decisions, 'line');
  }

  #mayLineMatchByDay(line: MatchLine): boolean {
    const name = lineNode(line.lineId);
    const decisions = this.#index.decisionsOn(name);
    return this.#keyedOrders(line).size === 0 && !this.#isAcceptedWith(name, decisions, 'order');
  }

  #sameDayLines(
    order: MatchOrder,
    name: NodeName,
    decisions: readonly MatchDecision[],
    groups: Groups,
  ): readonly Edge[] {
    const key = orderDayKey(order, this.#settings);
    if (key === null || this.#isAcceptedWith(name, decisions, 'line')) return [];
    return groups.isOpen(`lines ${key}`, decisions) ? sameDay(name, decisions, this.#linesOn(key)) : [];
  }

  #sameDayOrders(
    line: MatchLine,
    name: NodeName,
    decisions: readonly MatchDecision[],
    groups: Groups,
  ): readonly Edge[] {
    const key = lineDayKey(line);
    if (key === null || !this.#mayLineMatchByDay(line)) return [];
    return groups.isOpen(`orders ${key}`, decisions) ? sameDay(name, decisions, this.#ordersOn(key)) : [];
  }

  #linesOn(key: string): readonly NodeName[] {
    const known = this.#linesOfDay.get(key);
    if (known !== undefined) return known;
    const found = this.#index
      .linesOfDay(key)
      .filter((line) => lineDayKey(line) === key && this.#mayLineMatchByDay(line))
      .map(({ lineId }) => lineNode(lineId));
    this.#linesOfDay.set(key, found);
    return found;
  }

  #ordersOn(key: string): readonly NodeName[] {
    const known = this.#ordersOfDay.get(key);
    if (known !== undefined) return known;
    const found = this.#index
      .ordersOfDay(key)
      .filter((order) => orderDayKey(order, this.#settings) === key && this.#mayMatchByDay(order))
      .map(({ orderId }) => orderNode(orderId));
    this.#ordersOfDay.set(key, found);
    return found;
  }
}

/** Ways from a node to those of the same amount and day, but for those that it was parted from. */
const sameDay = (name: NodeName, decisions: readonly MatchDecision[], others: readonly NodeName[]): readonly Edge[] =>
  others.filter((to) => decidedOf(decisions, name, to) !== 'parted').map((to) => ({ to, rule: 'amount-and-day' }));
