import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { TreeEnd } from './files/tree-writer.ts';
import { eventLeafHash } from './log-leaf.ts';

/** Whether an event is the last one of a tree: it stands where that stood, and is that very event. */
export const isEnd = (end: TreeEnd, event: RecordedEvent): boolean =>
  event.position === end.position && eventLeafHash(event).equals(end.leaf);

/**
 * Those of some events that follow a tree's last one; null where the tree's last event is not among them or right before
 * them: they may then be behind a gap, or of another log.
 *
 * @param before the event that was given before them by the same reading; null: nothing was
 */
export const behindEnd = (
  end: TreeEnd | null,
  before: RecordedEvent | null,
  events: readonly RecordedEvent[],
): readonly RecordedEvent[] | null => {
  if (end === null) return null;
  const from =
    before?.position === end.position ? 0 : events.findIndex(({ position }) => position === end.position) + 1;
  const last = from === 0 ? before : events[from - 1];
  if (last === null || last === undefined || !isEnd(end, last)) return null;
  return from === 0 ? events : events.slice(from);
};
