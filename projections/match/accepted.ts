import { decidedOf, groupOfKind, hasAccepted } from './decision.ts';
import type { DecidedNode, Edge } from './edge.ts';
import type { NodeGroups } from './node-groups.ts';

/** What decisions have joined a node to. */
const acceptedWith = ({ name, decisions }: DecidedNode): readonly Edge[] => {
  const accepted = decisions.filter((decision) => hasAccepted(decision, name));
  return [...new Set(accepted.flatMap(({ group }) => group))]
    .filter((to) => to !== name && decidedOf(decisions, name, to) === 'joined')
    .map((to) => ({ to, rule: null }));
};

/** The same, but for what one decision alone has joined: that is gone into from one of its nodes. */
export const acceptedOnce = (node: DecidedNode, groups: NodeGroups): readonly Edge[] => {
  const [only, ...more] = node.decisions;
  if (only === undefined) return [];
  const isOneOfMany = more.length === 0 && hasAccepted(only, node.name);
  return isOneOfMany && !groups.isOpen(`decision ${only.itemId}`, []) ? [] : acceptedWith(node);
};

/** Whether a node was joined to one of a kind by a decision: then it has what it needs. */
export const isAcceptedWith = ({ name, decisions }: DecidedNode, kind: 'order' | 'line'): boolean =>
  decisions
    .filter((decision) => hasAccepted(decision, name))
    .some((decision) =>
      groupOfKind(decision, kind).some((to) => to !== name && decidedOf(decisions, name, to) === 'joined'),
    );
