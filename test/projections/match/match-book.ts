import { Components } from '../../../projections/match/components.ts';
import { itemIdOf } from '../../../projections/match/item-id.ts';
import { matchItem, type MatchItem } from '../../../projections/match/match-item.ts';
import { memoryIndex, type MatchSources } from '../../../projections/match/memory-index.ts';
import type { NodeName } from '../../../projections/match/node.ts';
import { updateItems } from '../../../projections/match/update-items.ts';
import { USUAL_MATCH_SETTINGS } from '../../../src/domain/match-settings.ts';
import { utcCalendar } from './match-scene.ts';

/** Items that are kept up to date while their sources grow. */
export class MatchBook {
  readonly #items = new Map<string, MatchItem>();
  readonly #of = new Map<NodeName, MatchItem>();

  update(now: MatchSources, touched: readonly NodeName[]): void {
    const index = memoryIndex(now, USUAL_MATCH_SETTINGS);
    const components = new Components(index, USUAL_MATCH_SETTINGS);
    updateItems(touched, (node) => components.of(node), {
      takeOut: (node) => {
        const members = this.#of.get(node)?.members ?? null;
        if (members !== null) this.#items.delete(itemIdOf(members));
        for (const member of members ?? []) this.#of.delete(member);
        return members;
      },
      decisionsOn: index.decisionsOn,
      put: (component) => {
        const item = matchItem(component, USUAL_MATCH_SETTINGS, utcCalendar);
        this.#items.set(item.itemId, item);
        for (const member of item.members) this.#of.set(member, item);
      },
    });
  }

  /** All of them, by id, as `matchAll` answers them. */
  items(): readonly MatchItem[] {
    return [...this.#items.values()].toSorted((a, b) => (a.itemId < b.itemId ? -1 : 1));
  }
}
