import type { Component } from './component.ts';
import type { NodeName } from './node.ts';

/** Items as they were before something changed. */
export type ItemBook = {
  /** Takes out the item of a node. What was in it; null where the node is in none. */
  readonly takeOut: (node: NodeName) => readonly NodeName[] | null;
  /**
   * What somebody has named in one decision with a node. A line that was parted from its order is in another item, and still
   * goes with nobody less sure as long as it names that order: so it is looked at when the order changes.
   */
  readonly decidedWith: (node: NodeName) => readonly NodeName[];
  readonly put: (component: Component) => void;
};

/**
 * Makes anew what some nodes change: the items that they were in and those that they are in now, and so on, until whatever
 * lost a member has been looked at. Nothing else is touched.
 *
 * @param touched orders, lines and transfers that came or changed, and what decisions name
 * @param of what a node belongs to now
 */
export const updateItems = (
  touched: Iterable<NodeName>,
  of: (node: NodeName) => Component | null,
  { takeOut, decidedWith, put }: ItemBook,
): void => {
  const waiting: NodeName[] = [];
  for (const node of touched) {
    waiting.push(node);
    for (const other of decidedWith(node)) waiting.push(other);
  }
  const removed = new Set<NodeName>();
  const placed = new Set<NodeName>();
  const found: Component[] = [];
  const takeApart = (node: NodeName): void => {
    const members = removed.has(node) ? null : takeOut(node);
    for (const member of members ?? []) {
      removed.add(member);
      waiting.push(member);
    }
  };
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (placed.has(node)) continue;
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
  for (const component of found) put(component);
};
