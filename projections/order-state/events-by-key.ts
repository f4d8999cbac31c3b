import type { FoldedEvent } from '../../src/domain/ledger-event.ts';

/** Events by key, in the order in which they come; one with several keys stands under each of them. */
export const eventsByKey = (
  events: readonly FoldedEvent[],
  keysOf: (event: FoldedEvent) => readonly string[],
): ReadonlyMap<string, readonly FoldedEvent[]> => {
  const groups = new Map<string, FoldedEvent[]>();
  for (const event of events) {
    for (const key of keysOf(event)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [event]);
      else group.push(event);
    }
  }
  return groups;
};
