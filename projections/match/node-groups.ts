import type { MatchDecision } from './decision.ts';

/**
 * What was gone into from one node of a group whose nodes all lead to the same others: a thousand orders of one amount
 * and day, or of one utr, are gone through once, not once for each. It is not for nodes that somebody decided on: those
 * may be parted from some of the others.
 */
export class NodeGroups {
  readonly #seen = new Set<string>();

  /** Whether the group is still to be gone into from a node with these decisions. */
  isOpen(group: string, decisions: readonly MatchDecision[]): boolean {
    if (decisions.length > 0) return true;
    const isNew = !this.#seen.has(group);
    this.#seen.add(group);
    return isNew;
  }
}
