import type { StreamName } from '../domain/ids.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import { Recent } from '../domain/recent.ts';

/** Streams whose events are kept: some hundred orders are under way at a busy merchant's at any time, about 4 KB each. */
const MOST_STREAMS = 2_048;

/**
 * The events of the streams that were touched last. A stream's next event nearly always follows soon, and is then folded
 * without asking the store for those before it. The log never changes, so what is kept stays true.
 *
 * Events are kept as they were recorded: their payloads are read anew for each fold. Kept payloads, a hundred small objects
 * each, cost the garbage collector more than reading them does, most of all where no further event comes.
 */
export class StreamMemory {
  readonly #streams = new Recent<StreamName, readonly RecordedEvent[]>(MOST_STREAMS);

  /** All events of a stream up to the last of these, which follow each other in it; null where those before are not known. */
  whole(stream: StreamName, events: readonly RecordedEvent[]): readonly RecordedEvent[] | null {
    const next = events[0]?.revision;
    if (next === 0) return events;
    const before = this.#streams.get(stream);
    return before !== undefined && before.at(-1)?.revision === (next ?? 0) - 1 ? [...before, ...events] : null;
  }

  /** Keeps all events of a stream up to some position. */
  keep(stream: StreamName, events: readonly RecordedEvent[]): void {
    this.#streams.put(stream, events);
  }
}
