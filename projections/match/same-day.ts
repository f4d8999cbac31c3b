import type { MatchSettings } from '../../src/domain/match-settings.ts';
import { isAcceptedWith } from './accepted.ts';
import { edgesTo, type DecidedNode, type Edge } from './edge.ts';
import type { MatchIndex, MatchLine } from './match-index.ts';
import { lineDayKey, orderDayKey } from './match-keys.ts';
import type { MatchOrder } from './match-order.ts';
import type { NamedOrders } from './named-orders.ts';
import type { NodeGroups } from './node-groups.ts';
import { lineNode, orderNode, type NodeName } from './node.ts';

/** What is of one amount and day, and neither names the other nor was joined to any other. */
export class SameDay {
  readonly #index: MatchIndex;
  readonly #settings: MatchSettings;
  readonly #named: NamedOrders;
  /** Lines and orders that may match by amount and day, by their key. */
  readonly #lines = new Map<string, readonly NodeName[]>();
  readonly #orders = new Map<string, readonly NodeName[]>();

  constructor(index: MatchIndex, settings: MatchSettings, named: NamedOrders) {
    this.#index = index;
    this.#settings = settings;
    this.#named = named;
  }

  /** Lines of the amount and day of an order that no line names. */
  ofOrder(order: MatchOrder, node: DecidedNode, groups: NodeGroups): readonly Edge[] {
    const key = orderDayKey(order, this.#settings);
    if (key === null || isAcceptedWith(node, 'line')) return [];
    return groups.isOpen(`lines ${key}`, node.decisions) ? edgesTo(node, this.#linesOn(key), 'amount-and-day') : [];
  }

  /** Orders of the amount and day of a line that names none. */
  ofLine(line: MatchLine, node: DecidedNode, groups: NodeGroups): readonly Edge[] {
    const key = lineDayKey(line);
    if (key === null || !this.#mayMatch(line)) return [];
    return groups.isOpen(`orders ${key}`, node.decisions) ? edgesTo(node, this.#ordersOn(key), 'amount-and-day') : [];
  }

  #mayMatch(line: MatchLine): boolean {
    const name = lineNode(line.lineId);
    if (this.#named.ordersOf(line).size > 0) return false;
    return !isAcceptedWith({ name, decisions: this.#index.decisionsOn(name) }, 'order');
  }

  #mayMatchOrder(order: MatchOrder): boolean {
    const name = orderNode(order.orderId);
    const node = { name, decisions: this.#index.decisionsOn(name) };
    return this.#named.linesOf(order, node).length === 0 && !isAcceptedWith(node, 'line');
  }

  #linesOn(key: string): readonly NodeName[] {
    const known = this.#lines.get(key);
    if (known !== undefined) return known;
    const found = this.#index
      .linesOfDay(key)
      .filter((line) => lineDayKey(line) === key && this.#mayMatch(line))
      .map(({ lineId }) => lineNode(lineId));
    this.#lines.set(key, found);
    return found;
  }

  #ordersOn(key: string): readonly NodeName[] {
    const known = this.#orders.get(key);
    if (known !== undefined) return known;
    const found = this.#index
      .ordersOfDay(key)
      .filter((order) => orderDayKey(order, this.#settings) === key && this.#mayMatchOrder(order))
      .map(({ orderId }) => orderNode(orderId));
    this.#orders.set(key, found);
    return found;
  }
}
