import type { Calendar } from '../../src/domain/business-day.ts';
import { Components } from './components.ts';
import { matchItem, type MatchItem } from './match-item.ts';
import type { MatchSettings } from '../../src/domain/match-settings.ts';
import { memoryIndex, type MatchSources } from './memory-index.ts';
import { lineNode, orderNode, transferNode, type NodeName } from './node.ts';

/** The name of everything that may be in an item. */
export const namesOf = ({ orders, lines, transfers }: Omit<MatchSources, 'decisions'>): readonly NodeName[] => [
  ...orders.map(({ orderId }) => orderNode(orderId)),
  ...lines.map(({ lineId }) => lineNode(lineId)),
  ...transfers.map(({ transferId }) => transferNode(transferId)),
];

/**
 * Every item of some orders, lines, transfers and decisions, by id: a function of the sets of them, whatever order they
 * are given in (docs/spec/match.md, Items).
 */
export const matchAll = (sources: MatchSources, settings: MatchSettings, calendar: Calendar): readonly MatchItem[] => {
  const components = new Components(memoryIndex(sources, settings), settings);
  const placed = new Set<NodeName>();
  const items: MatchItem[] = [];
  for (const name of namesOf(sources)) {
    if (placed.has(name)) continue;
    const component = components.of(name);
    if (component === null) continue;
    for (const member of component.members) placed.add(member);
    items.push(matchItem(component, settings, calendar));
  }
  return items.toSorted((a, b) => (a.itemId < b.itemId ? -1 : 1));
};
