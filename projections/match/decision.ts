import type { Instant } from '../../src/domain/instant.ts';
import type { ItemId } from './item-id.ts';
import { nodeOf, type MatchNode, type NodeName } from './node.ts';

export const DECISIONS = ['accept', 'reject', 'explain'] as const;

export type DecisionKind = (typeof DECISIONS)[number];

/** What somebody decided of an item, and has not taken back (docs/spec/match.md, Decisions). */
export type MatchDecision = {
  /** The item as it was when it was decided. */
  readonly itemId: ItemId;
  readonly decision: DecisionKind;
  /** Ids as they were given: of lines, orders and transfers. */
  readonly with: readonly string[];
  readonly note: string;
  readonly by: string;
  readonly at: Instant;
  /** What belongs together (accept), is parted (reject) or needs no more (explain), in code-unit order. */
  readonly group: readonly NodeName[];
  /** What the group is parted from; empty where a reject parts the group in itself. */
  readonly apart: readonly NodeName[];
  /** What the orders and transfers of the group said then, see `factsOf`; null for a decision that has not kept it. */
  readonly facts: string | null;
};

type Named = {
  readonly group: ReadonlySet<NodeName>;
  readonly apart: ReadonlySet<NodeName>;
  readonly byKind: ReadonlyMap<MatchNode['kind'], readonly NodeName[]>;
};

/** The names of decisions as sets: a decision on a large item is asked for each of its nodes. */
const NAMED = new WeakMap<MatchDecision, Named>();

const namedBy = (decision: MatchDecision): Named => {
  const known = NAMED.get(decision);
  if (known !== undefined) return known;
  const { group, apart } = decision;
  const byKind = Map.groupBy(group, (name) => nodeOf(name).kind);
  const named = { group: new Set(group), apart: new Set(apart), byKind };
  NAMED.set(decision, named);
  return named;
};

/** Every node that some decisions name. */
export const namedIn = (decisions: readonly MatchDecision[]): readonly NodeName[] =>
  decisions.flatMap(({ group, apart }) => [...group, ...apart]);

/** Whether a decision has accepted a node, with others. */
export const hasAccepted = (decision: MatchDecision, node: NodeName): boolean =>
  decision.decision === 'accept' && namedBy(decision).group.has(node);

/** What a decision names to belong together, of one kind. */
export const groupOfKind = (decision: MatchDecision, kind: MatchNode['kind']): readonly NodeName[] =>
  namedBy(decision).byKind.get(kind) ?? [];

/** The later of two, by when they were made; what came at one moment by its item. */
export const isLater = (a: MatchDecision, b: MatchDecision): boolean =>
  a.at === b.at ? a.itemId > b.itemId : a.at > b.at;

/** Whether a decision says that two belong together, or that they don't; null where it says nothing of them. */
const saysOf = (decision: MatchDecision, a: NodeName, b: NodeName): 'joined' | 'parted' | null => {
  if (decision.decision === 'explain') return null;
  const { group, apart } = namedBy(decision);
  const [aIn, bIn] = [group.has(a), group.has(b)];
  if (aIn && bIn) return decision.decision === 'accept' ? 'joined' : apart.size === 0 ? 'parted' : null;
  return (aIn && apart.has(b)) || (bIn && apart.has(a)) ? 'parted' : null;
};

/** What the latest of some decisions says of two; null where none says anything. */
export const decidedOf = (
  decisions: readonly MatchDecision[],
  a: NodeName,
  b: NodeName,
): 'joined' | 'parted' | null => {
  let latest: { readonly decision: MatchDecision; readonly says: 'joined' | 'parted' } | null = null;
  for (const decision of decisions) {
    const says = saysOf(decision, a, b);
    if (says !== null && (latest === null || isLater(decision, latest.decision))) latest = { decision, says };
  }
  return latest?.says ?? null;
};

/** Which nodes an accept or reject is about, from what somebody named (docs/spec/match.md, Decisions). */
export type Scope = Pick<MatchDecision, 'group' | 'apart'>;

const kindOf = (name: NodeName): string => name.slice(0, name.indexOf(':'));

const inOrder = (names: Iterable<NodeName>): readonly NodeName[] => [...new Set(names)].toSorted();

/**
 * What a decision is about. Accept without names: all of the item. With names of one kind from within the item: they and
 * all that is of another kind. With names from outside: the item and they. Reject: what is named is parted from the rest, or
 * where names are of several kinds, or of nothing or all, from each other.
 *
 * @param companions what comes along with a node from outside
 */
export const decisionScope = (
  decision: DecisionKind,
  members: readonly NodeName[],
  named: readonly NodeName[],
  companions: (outside: NodeName) => readonly NodeName[] = (): readonly NodeName[] => [],
): Scope => {
  const whole: Scope = { group: inOrder(members), apart: [] };
  if (decision === 'explain' || named.length === 0) return whole;
  const kinds = new Set(named.map(kindOf));
  const isFromOutside = named.some((name) => !members.includes(name));
  if (decision === 'reject') {
    const rest = members.filter((name) => !named.includes(name));
    if (kinds.size > 1 || rest.length === 0) return { group: inOrder(named), apart: [] };
    return { group: inOrder(named), apart: inOrder(rest) };
  }
  if (isFromOutside) {
    const brought = named.filter((name) => !members.includes(name)).flatMap(companions);
    return { group: inOrder([...members, ...named, ...brought]), apart: [] };
  }
  const others = kinds.size > 1 ? [] : members.filter((name) => !kinds.has(kindOf(name)));
  const group = inOrder([...named, ...others]);
  return { group, apart: inOrder(members.filter((name) => !group.includes(name))) };
};
