import { setImmediate as turn } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { parseMetadata } from '../domain/event-metadata.ts';
import { flowOfType } from '../domain/event-type.ts';
import type { Flow } from '../domain/flow.ts';
import type { Revision, Sha256 } from '../domain/ids.ts';
import { unreadableEvent, type UnreadableEvent } from '../domain/unreadable-event.ts';
import type { NewEvent, RecordedEvent } from '../domain/recorded-event.ts';
import type { Appended } from '../event-store/event-store.ts';
import { KnownEvents, type KnownEvent } from './known-events.ts';

/** Thousands of events take longer than others may wait: they have their turn in between. */
const EVENTS_A_TURN = 200;

/** The history of an order at one exact revision. It holds no payloads, so that many histories can be kept in memory. */
export type OrderHistory = {
  readonly flow: Flow;
  readonly head: Revision;
  readonly events: KnownEvents;
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
export const historyOf = async (
  events: readonly RecordedEvent[],
): Promise<E.Either<UnreadableEvent, OrderHistory | null>> => {
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined) return E.right(null);
  const flow = flowOfType(first.type);
  if (flow === null) return E.left(unreadableEvent(first, 'its stream does not begin with an order event'));
  let known = KnownEvents.of([]);
  for (const [at, event] of events.entries()) {
    if (at > 0 && at % EVENTS_A_TURN === 0) await turn();
    known = known.with(knownEvent(event));
  }
  return E.right({ flow, head: last.revision, events: known });
};

/** The history after an event was appended to it; null is the history of an order that was not there. */
export const extended = (history: OrderHistory | null, flow: Flow, event: KnownEvent): OrderHistory => ({
  flow,
  head: event.revision,
  events: history === null ? KnownEvents.of([event]) : history.events.with(event),
});
