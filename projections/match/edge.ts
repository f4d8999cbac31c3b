import { decidedOf, type MatchDecision } from './decision.ts';
import type { NodeName } from './node.ts';
import type { MatchRule } from './rule.ts';

/** A way from one node to another. */
export type Edge = { readonly to: NodeName; readonly rule: MatchRule | null };

/** A node that one goes on from, with what was decided on it. */
export type DecidedNode = { readonly name: NodeName; readonly decisions: readonly MatchDecision[] };

/** Ways from a node to others by one rule, but for those that it was parted from, and itself. */
export const edgesTo = (
  { name, decisions }: DecidedNode,
  others: readonly NodeName[],
  rule: MatchRule | null,
): readonly Edge[] =>
  others.filter((to) => to !== name && decidedOf(decisions, name, to) !== 'parted').map((to) => ({ to, rule }));
