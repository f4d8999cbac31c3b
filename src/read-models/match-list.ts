import type { MatchItem } from '../../projections/match/match-item.ts';
import type { MatchPlace } from './match-questions.ts';

/** What is at a place of a list, to be looked at more closely. */
export type Listed = { readonly place: MatchPlace; readonly item: () => MatchItem | null };

/** An item that is known, at its place. */
export const listedItem = (item: MatchItem): Listed => ({
  place: { day: item.day, list: 'items', key: item.itemId },
  item: () => item,
});

/** Whether a place comes later in lists than another. Of one day, orders that nothing was found for come first. */
export const isBehind = (a: MatchPlace, b: MatchPlace): boolean => {
  if (a.day !== b.day) return a.day > b.day;
  if (a.list !== b.list) return a.list > b.list;
  return a.list === 'awaited' ? Number(a.key) > Number(b.key) : a.key > b.key;
};

/** Lists that are each in order, as one. */
export function* mergedLists(lists: readonly Iterator<Listed>[]): Generator<Listed, void> {
  const heads = lists.map((list) => list.next());
  for (;;) {
    let least = -1;
    let found: Listed | null = null;
    for (const [i, head] of heads.entries()) {
      if (head.done !== true && (found === null || isBehind(found.place, head.value.place)))
        [least, found] = [i, head.value];
    }
    const list = lists[least];
    if (found === null || list === undefined) return;
    yield found;
    heads[least] = list.next();
  }
}
