import { daysBetween } from '../../../../projections/match/ageing.ts';
import { awaitedState, type Today } from '../../../../projections/match/awaited-state.ts';
import type { MatchItem, MatchState } from '../../../../projections/match/match-item.ts';
import { nodeOf, type MatchNode, type NodeName } from '../../../../projections/match/node.ts';
import type { MatchItemsQuestion, ShownItem } from '../../match-questions.ts';
import { present } from '../../present.ts';
import type { MatchEvidence } from './match-evidence.ts';

/** What of an item is read. */
type Part = Pick<MatchItemsQuestion, 'mostOfEach' | 'skipOfEach'> & {
  /** What is read in any case, where nothing is skipped. */
  readonly named: ReadonlySet<NodeName>;
};

/** Places that were counted so far, of each kind. */
type Places = Record<MatchNode['kind'], number>;

const NO_PLACES: Places = { order: 0, line: 0, transfer: 0 };

/**
 * Of each kind as many as are read, in the order of their names. What is named has the first places, so that it is with
 * the first part and in no later one: parts join to the whole.
 */
const partOf = (
  members: readonly NodeName[],
  { mostOfEach = Infinity, skipOfEach = 0, named }: Part,
): readonly MatchNode[] => {
  const places = { named: { ...NO_PLACES }, others: { ...NO_PLACES } };
  for (const name of members) if (named.has(name)) places.others[nodeOf(name).kind] += 1;
  return members.flatMap((name) => {
    const node = nodeOf(name);
    const isNamed = named.has(name);
    const counted = isNamed ? places.named : places.others;
    const at = counted[node.kind];
    counted[node.kind] += 1;
    const isWithin = at >= skipOfEach && at < skipOfEach + mostOfEach;
    return isWithin || (skipOfEach === 0 && isNamed) ? [node] : [];
  });
};

/** An item as of a day; null where it is held against nothing yet. */
export const shownItem = (
  evidence: MatchEvidence,
  { awaited, ...item }: MatchItem,
  today: Today,
  part: Part,
): ShownItem | null => {
  const becomes = awaited === null ? null : awaitedState(awaited, item.day, today);
  if (awaited !== null && becomes === null) return null;
  const nodes = partOf(item.members, part);
  const state: MatchState = item.state === 'awaited' ? (becomes?.state ?? 'matched') : item.state;
  return {
    ...item,
    state,
    breaks: [...item.breaks, ...(becomes?.breaks ?? [])],
    ageDays: daysBetween(item.day, today.today),
    orders: nodes.flatMap((node) => (node.kind === 'order' ? present(evidence.order(node.id)) : [])),
    lines: nodes.flatMap((node) => (node.kind === 'line' ? present(evidence.line(node.id)) : [])),
    transfers: nodes.flatMap((node) => (node.kind === 'transfer' ? present(evidence.transfer(node.id)) : [])),
  };
};
