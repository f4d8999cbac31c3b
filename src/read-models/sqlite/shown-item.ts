import { daysBetween } from '../../../projections/match/ageing.ts';
import { awaitedState, type Today } from '../../../projections/match/awaited-state.ts';
import type { MatchItem, MatchState } from '../../../projections/match/match-item.ts';
import { nodeOf } from '../../../projections/match/node.ts';
import type { ShownItem } from '../match-questions.ts';
import type { MatchEvidence } from './match-evidence.ts';
import { present } from './present.ts';

/**
 * An item as of a day; null where it is held against nothing yet.
 *
 * @param mostOfEach so many orders, lines and transfers of it are read at the most
 */
export const shownItem = (
  evidence: MatchEvidence,
  { awaited, ...item }: MatchItem,
  today: Today,
  mostOfEach = Infinity,
): ShownItem | null => {
  const becomes = awaited === null ? null : awaitedState(awaited, item.day, today);
  if (awaited !== null && becomes === null) return null;
  const nodes = item.members.map(nodeOf);
  const orders = nodes.flatMap((node) => (node.kind === 'order' ? node.id : []));
  const lines = nodes.flatMap((node) => (node.kind === 'line' ? node.id : []));
  const transfers = nodes.flatMap((node) => (node.kind === 'transfer' ? node.id : []));
  const state: MatchState = item.state === 'awaited' ? (becomes?.state ?? 'matched') : item.state;
  return {
    ...item,
    state,
    breaks: [...item.breaks, ...(becomes?.breaks ?? [])],
    ageDays: daysBetween(item.day, today.today),
    orders: orders.slice(0, mostOfEach).flatMap((id) => present(evidence.order(id))),
    lines: lines.slice(0, mostOfEach).flatMap((id) => present(evidence.line(id))),
    transfers: transfers.slice(0, mostOfEach).flatMap((id) => present(evidence.transfer(id))),
  };
};
