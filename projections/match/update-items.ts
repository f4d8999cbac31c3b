import type { Component } from './component.ts';
import { namedIn, type MatchDecision } from './decision.ts';
import type { NodeName } from './node.ts';

/** Items as they were before something changed. */
export type ItemBook = {
  /** Takes out the item of a node. What was in it; null where the node is in none. */
  readonly takeOut: (node: NodeName) => readonly NodeName[] | null;
  /**
   * Those that name a node. A line that was parted from its order is in another item, and still goes with nobody less sure
   * as long as it names that order: so all that a decision names is looked at when one of them changes.
   */
  readonly decisionsOn: (node: NodeName) => readonly MatchDecision[];
  readonly put: (component: Component) => void;
};

/** What some nodes touch: they, and each that somebody has named in one decision with one of them. */
const touchedWith = (touched: Iterable<NodeName>, { decisionsOn }: ItemBook): NodeName[] => {
  const all: NodeName[] = [];
  // A decision on a large item is found from each of its nodes, and names all of them.
  const seen = new Set<string>();
  for (const node of touched) {
    all.push(node);
    const decisions = decisionsOn(node).filter(({ itemId }) => !seen.has(itemId));
    for (const { itemId } of decisions) seen.add(itemId);
    for (const other of namedIn(decisions)) all.push(other);
  }
  return all;
};

/**
 * Makes anew what some nodes change: the items that they were in and those that they are in now, and so on, until whatever
 * lost a member has been looked at. Nothing else is touched.
 *
 * @param touched orders, lines and transfers that came or changed, and what decisions name
 * @param of what a node belongs to now
 * @param settled what was looked at already, and has not changed since
 */
export const updateItems = (
  touched: Iterable<NodeName>,
  of: (node: NodeName) => Component | null,
  book: ItemBook,
  settled: ReadonlySet<NodeName> = new Set(),
): void => {
  const waiting = touchedWith(touched, book);
  const placed = new Set<NodeName>();
  const removed = new Set<NodeName>();
  const found: Component[] = [];
  const takeApart = (node: NodeName): void => {
    const members = removed.has(node) ? null : book.takeOut(node);
    for (const member of members ?? []) {
      removed.add(member);
      waiting.push(member);
    }
  };
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (placed.has(node) || settled.has(node)) continue;
    takeApart(node);
    const component = of(node);
    if (component === null) {
      placed.add(node);
      continue;
    }
    for (const member of component.members) {
      placed.add(member);
      takeApart(member);
    }
    found.push(component);
  }
  for (const component of found) book.put(component);
};
