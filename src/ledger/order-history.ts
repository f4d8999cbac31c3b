import { either as E } from 'fp-ts';
import { parseMetadata } from '../domain/event-metadata.ts';
import { flowOfType } from '../domain/event-type.ts';
import { factsDigest } from '../domain/facts-digest.ts';
import type { Flow } from '../domain/flow.ts';
import type { EventId, Position, Revision, Sha256 } from '../domain/ids.ts';
import { unreadableEvent, type UnreadableEvent } from '../domain/unreadable-event.ts';
import { readContent } from '../domain/read-content.ts';
import { signedBytes, type RecordedEvent } from '../domain/recorded-event.ts';
import type { Appended } from '../event-store/event-store.ts';

/** Where an event stands, and which body it holds: null where its metadata is damaged. */
export type EventPlace = {
  readonly eventId: EventId;
  readonly revision: Revision;
  readonly position: Position;
  readonly bodySha256: Sha256 | null;
};

/**
 * An order's history at one exact revision, as far as a decision needs it. Payloads are read only where a body differs
 * from one that is there under the same key, which is rare.
 */
export type OrderHistory = {
  readonly flow: Flow;
  readonly head: Revision;
  readonly places: readonly EventPlace[];
  /** Digest of the facts at a revision; `not-held` by a history without payloads, `unreadable` where the stored one is damaged. */
  readonly factsAt: (revision: Revision) => Sha256 | 'not-held' | 'unreadable';
};

/** Where a stored event stands. */
export const placeOf = ({ id, revision, position, metadata }: RecordedEvent): EventPlace => ({
  eventId: id,
  revision,
  position,
  bodySha256: parseMetadata(metadata)?.bodySha256 ?? null,
});

/** Where an event stands that was just appended. */
export const placeAt = (eventId: EventId, { revision, position }: Appended, bodySha256: Sha256): EventPlace => ({
  eventId,
  revision,
  position,
  bodySha256,
});

const factsOf = (event: RecordedEvent | undefined): Sha256 | 'unreadable' => {
  const content = event === undefined ? null : readContent(signedBytes(event));
  return content?._tag === 'OrderEvent' ? factsDigest(content.payload) : 'unreadable';
};

/** Reads an order's history from its whole stream; null for a stream that is not there. */
export const historyOf = (events: readonly RecordedEvent[]): E.Either<UnreadableEvent, OrderHistory | null> => {
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined) return E.right(null);
  const flow = flowOfType(first.type);
  return flow === null
    ? E.left(unreadableEvent(first, 'its stream does not begin with an order event'))
    : E.right({
        flow,
        head: last.revision,
        places: events.map(placeOf),
        factsAt: (revision) => factsOf(events[revision]),
      });
};

const notHeld = (): 'not-held' => 'not-held';

/** The same history without the events that its facts would be read from: small enough to be kept. */
export const withoutFacts = (history: OrderHistory): OrderHistory => ({ ...history, factsAt: notHeld });

/** The history after an event was appended behind it. */
export const extended = (history: OrderHistory | null, flow: Flow, place: EventPlace): OrderHistory => ({
  flow,
  head: place.revision,
  places: history === null ? [place] : [...history.places, place],
  factsAt: notHeld,
});
