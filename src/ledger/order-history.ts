import * as E from 'fp-ts/lib/Either.js';
import { parseMetadata } from '../domain/event-metadata.ts';
import { flowOfType } from '../domain/event-type.ts';
import type { Flow } from '../domain/flow.ts';
import type { EventId, Position, Revision, Sha256 } from '../domain/ids.ts';
import { unreadableEvent, type UnreadableEvent } from '../domain/unreadable-event.ts';
import type { NewEvent, RecordedEvent } from '../domain/recorded-event.ts';
import type { Appended } from '../event-store/event-store.ts';

/** A stored event: where it stands in its stream and in the log, and which body it holds. */
export type KnownEvent = {
  readonly eventId: EventId;
  readonly revision: Revision;
  readonly position: Position;
  /** Null where its metadata is damaged. */
  readonly bodySha256: Sha256 | null;
  /** Whether it is the order event of its key, and neither a conflict with one nor of the quarantine. */
  readonly isOrderEvent: boolean;
};

/** The history of an order at one exact revision. It holds no payloads, so that many histories can be kept in memory. */
export type OrderHistory = {
  readonly flow: Flow;
  readonly head: Revision;
  readonly events: readonly KnownEvent[];
};

/** What is known of an event that was read from the store. */
export const knownEvent = ({ id, type, revision, position, metadata }: RecordedEvent): KnownEvent => ({
  eventId: id,
  revision,
  position,
  bodySha256: parseMetadata(metadata)?.bodySha256 ?? null,
  isOrderEvent: flowOfType(type) !== null,
});

/** What is known of an event that was just appended. */
export const appendedEvent = (
  { id, type }: NewEvent,
  { revision, position }: Appended,
  bodySha256: Sha256,
): KnownEvent => ({
  eventId: id,
  revision,
  position,
  bodySha256,
  isOrderEvent: flowOfType(type) !== null,
});

/** Reads an order's history from its whole stream; null for a stream that is not there. */
export const historyOf = (events: readonly RecordedEvent[]): E.Either<UnreadableEvent, OrderHistory | null> => {
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined) return E.right(null);
  const flow = flowOfType(first.type);
  return flow === null
    ? E.left(unreadableEvent(first, 'its stream does not begin with an order event'))
    : E.right({ flow, head: last.revision, events: events.map(knownEvent) });
};

/** The history after an event was appended to it; null is the history of an order that was not there. */
export const extended = (history: OrderHistory | null, flow: Flow, event: KnownEvent): OrderHistory => ({
  flow,
  head: event.revision,
  events: history === null ? [event] : [...history.events, event],
});
