import type { MatchItem } from '../../../projections/match/match-item.ts';
import type { MatchSources } from '../../../projections/match/memory-index.ts';
import { nodeOf, orderNode, type NodeName } from '../../../projections/match/node.ts';
import { branded } from '../../../src/domain/brand.ts';
import type { OrderId } from '../../../src/domain/ids.ts';

/** The same under other names, also where lines and decisions name orders. */
export const renamed = (all: MatchSources, names: ReadonlyMap<string, string>): MatchSources => {
  const nodeFor = (name: NodeName): NodeName => {
    const { kind, id } = nodeOf(name);
    return kind === 'order' ? orderNode(branded<OrderId>(names.get(id) ?? id)) : name;
  };
  return {
    orders: all.orders.map((it) => ({ ...it, orderId: branded<OrderId>(names.get(it.orderId) ?? it.orderId) })),
    lines: all.lines.map((it) => ({ ...it, references: it.references.map((said) => names.get(said) ?? said) })),
    transfers: all.transfers,
    decisions: all.decisions.map((it) => {
      const [group, apart] = [it.group, it.apart].map((some) => some.map(nodeFor).toSorted());
      const isDated = it.facts === 'what they said before they changed';
      return { ...it, group: group ?? [], apart: apart ?? [], facts: isDated ? it.facts : null };
    }),
  };
};

/** An item without its id, whose members say what they are called in the end. */
export const nameless = (
  { itemId: _itemId, members, decision, ...item }: MatchItem,
  names: ReadonlyMap<string, string>,
) => ({
  ...item,
  // What nobody knows is told as the line says it.
  breaks: item.breaks.map(({ bank, ...it }) => ({
    ...it,
    bank: bank?.split(' ').map((word) => names.get(word) ?? word) ?? null,
  })),
  members: members
    .map((name) => {
      const { kind, id } = nodeOf(name);
      return `${kind}:${kind === 'order' ? (names.get(id) ?? id) : id}`;
    })
    .toSorted(),
  decidedBy: decision?.itemId ?? null,
});

/** Items in an order of their own. */
export const inOrder = (all: readonly { readonly members: readonly string[] }[]) =>
  all.toSorted((a, b) => (a.members.join(' ') < b.members.join(' ') ? -1 : 1));
