import { branded } from '../domain/brand.ts';
import type { EventId, StreamName } from '../domain/ids.ts';
import { isRevision } from '../domain/ids.ts';
import type { Instant } from '../domain/instant.ts';
import type { FoldedEvent, LedgerEvent } from '../domain/ledger-event.ts';
import { factsOf } from '../domain/order-facts.ts';
import { plainPayload } from '../domain/read-content.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import { EventRing } from './event-ring.ts';

/** A first event takes about 1 KB, a later one that says much the same 150 bytes: some 20,000 orders under way. */
const MEMORY_BYTES = 24 * 1_048_576;

/** A batch may write over this share of what is remembered. */
const SHARE_OF_A_BATCH = 1 / 8;

/** Streams have one of so many places each, a power of two; where two have the same, the later one is remembered. */
const PLACES = 262_144;

/** A stream of more events is read anew: those of an order are few. */
const MOST_EVENTS = 256;

/** Nothing is at such a place. */
const NOWHERE = -1;

/** The number of units that two texts have in common at their beginnings. */
const commonFirst = (a: string, b: string): number => {
  const most = Math.min(a.length, b.length);
  let common = 0;
  while (common < most && a.charCodeAt(common) === b.charCodeAt(common)) common += 1;
  return common;
};

/** The same at their ends, among so many units. */
const commonLast = (a: string, b: string, most: number): number => {
  let common = 0;
  while (common < most && a.charCodeAt(a.length - 1 - common) === b.charCodeAt(b.length - 1 - common)) common += 1;
  return common;
};

/** A place for a stream; null where its name is none that is kept. */
const bucketOf = (stream: StreamName): number | null => {
  let hash = 0;
  for (let i = 0; i < stream.length; i += 1) {
    const unit = stream.charCodeAt(i);
    if (unit > 0x7f) return null;
    hash = Math.imul(hash ^ unit, 0x01000193);
  }
  return (hash ^ (hash >>> 15)) & (PLACES - 1);
};

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/** The remembered events of a stream. */
export type Remembered = {
  readonly events: readonly FoldedEvent[];
  /** Where the last one is, and its data. */
  readonly place: number;
  readonly data: string;
};

/**
 * The events of the streams that were touched last, as far as they are folded. A stream's next event nearly always follows
 * soon, and is then folded without asking the store for those before it. The log never changes, so what is kept stays true.
 *
 * They are kept as bytes, what a later event says like the one before it only once: as objects they would be looked
 * through, and moved, whenever garbage is collected.
 */
export class StreamMemory {
  readonly #ring: EventRing;
  readonly #most: number;
  /** The place of the last event of each stream. */
  readonly #last = new Float64Array(PLACES).fill(NOWHERE);
  #batchBegan = 0;

  constructor(bytes = MEMORY_BYTES) {
    this.#ring = new EventRing(bytes);
    this.#most = Math.floor(bytes * SHARE_OF_A_BATCH);
  }

  /** Begins a batch: what is found from now on can be read until the next one begins. */
  begin(): void {
    this.#batchBegan = this.#ring.end;
  }

  /** The place of the event that comes before these, which follow each other in a stream; null where not all before them are known. */
  find(stream: StreamName, [first]: readonly RecordedEvent[]): number | null {
    const place = first === undefined ? null : this.#lastOf(stream);
    if (first === undefined || place === null) return null;
    const { revision, first: begin } = this.#ring.at(place);
    return revision === first.revision - 1 && this.#ring.isThere(begin, this.#most) ? place : null;
  }

  /**
   * Reads the events of a stream up to a place that was found.
   *
   * @throws Error where they are no events, which they were when they were kept
   */
  read(place: number): Remembered {
    const places: number[] = [];
    for (let at: number | null = place; at !== null; at = this.#ring.at(at).before) places.unshift(at);
    const events: FoldedEvent[] = [];
    let data = '';
    for (const at of places) {
      const numbers = this.#ring.at(at);
      const text = this.#ring.textAt(at);
      const receivedAt = numbers.nameLength + numbers.idLength;
      const dataAt = receivedAt + numbers.receivedLength;
      data = data.slice(0, numbers.sameFirst) + text.slice(dataAt) + data.slice(data.length - numbers.sameLast);
      const payload = plainPayload(data);
      if (payload === null || !isRevision(numbers.revision))
        throw new Error('what is remembered of a stream is damaged');
      events.push({
        kind: numbers.isConflict ? 'conflict' : 'order',
        recorded: { id: branded<EventId>(text.slice(numbers.nameLength, receivedAt)), revision: numbers.revision },
        receivedAt: branded<Instant>(text.slice(receivedAt, dataAt)),
        facts: factsOf(payload),
      });
    }
    return { events, place, data };
  }

  /** Keeps events of a stream which follow those that are remembered of it; null: these are all. */
  keep(stream: StreamName, before: Remembered | null, events: readonly LedgerEvent[]): void {
    const bucket = bucketOf(stream);
    if (bucket === null) return;
    let place: number | null = before?.place ?? null;
    let data = before?.data ?? null;
    this.#last[bucket] = NOWHERE;
    for (const event of events) {
      place = this.#write(stream, event, place, data);
      if (place === null) return;
      data = event.recorded.data;
    }
    if (place !== null) this.#last[bucket] = place;
  }

  /** Writes an event behind another one; null where it is not kept. */
  #write(
    stream: StreamName,
    { kind, recorded: { id, revision, rawBody, data }, receivedAt }: LedgerEvent,
    before: number | null,
    dataBefore: string | null,
  ): number | null {
    if (rawBody !== null || (before !== null && this.#ring.at(before).length >= MOST_EVENTS)) return null;
    // Parts of other texts may end within a character.
    const compared = dataBefore === null || !isAscii(data) || !isAscii(dataBefore) ? '' : dataBefore;
    const sameFirst = commonFirst(data, compared);
    const sameLast = commonLast(data, compared, Math.min(data.length, compared.length) - sameFirst);
    const text = `${stream}${id}${receivedAt}${data.slice(sameFirst, data.length - sameLast)}`;
    // Twice: a record may begin anew at the beginning of the memory.
    if (this.#ring.end - this.#batchBegan + 2 * this.#ring.sizeOf(text.length) > this.#most) return null;
    return this.#ring.write(text, {
      before,
      revision,
      isConflict: kind === 'conflict',
      nameLength: stream.length,
      idLength: id.length,
      receivedLength: receivedAt.length,
      sameFirst,
      sameLast,
    });
  }

  #lastOf(stream: StreamName): number | null {
    const bucket = bucketOf(stream);
    const place = bucket === null ? NOWHERE : (this.#last[bucket] ?? NOWHERE);
    if (place === NOWHERE || !this.#ring.isThere(place)) return null;
    const isIts = this.#ring.at(place).nameLength === stream.length && this.#ring.beginsWith(place, stream);
    return isIts ? place : null;
  }
}
