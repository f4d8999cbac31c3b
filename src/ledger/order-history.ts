import { setImmediate as turn } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { conflictNameOf } from '../domain/conflict-names.ts';
import { parseMetadata } from '../domain/event-metadata.ts';
import { CONFLICTING_DELIVERY, flowOfType } from '../domain/event-type.ts';
import type { Flow } from '../domain/flow.ts';
import type { Revision, Sha256 } from '../domain/ids.ts';
import { unreadableEvent, type UnreadableEvent } from '../domain/unreadable-event.ts';
import { storedContent } from '../domain/read-content.ts';
import type { NewEvent, RecordedEvent } from '../domain/recorded-event.ts';
import type { Appended, AppendRefused, StoreUnavailable, StreamPages } from '../event-store/event-store.ts';
import { KnownEvents, type EventName, type KnownEvent } from './known-events.ts';

/**
 * Thousands of events take longer than others may wait: they have their turn in between. What a conflict says is read and
 * digested for its name, which takes as long as it is long; so much of it takes three milliseconds at the most.
 */
const BYTES_A_TURN = 32_768;
/** What an event counts for whose body is not read. */
const BYTES_OF_AN_EVENT = 160;

const workOf = ({ type, data, rawBody }: RecordedEvent): number =>
  BYTES_OF_AN_EVENT + (type === CONFLICTING_DELIVERY ? (rawBody ?? data).length : 0);

/** The history of an order at one exact revision. It holds no payloads, so that many histories can be kept in memory. */
export type OrderHistory = {
  readonly flow: Flow;
  readonly head: Revision;
  readonly events: KnownEvents;
};

/** The name of a conflict is made of what it says by the rules of today: those of before have an id of another form. */
const nameOf = (event: RecordedEvent): EventName => {
  if (event.type !== CONFLICTING_DELIVERY) return event.id;
  const content = storedContent(event);
  return content._tag === 'OrderEvent' ? conflictNameOf(content.payload) : event.id;
};

/** What is known of an event that was read from the store. */
export const knownEvent = (event: RecordedEvent): KnownEvent => {
  const { id, type, revision, position, metadata } = event;
  return {
    eventId: id,
    name: nameOf(event),
    revision,
    position,
    bodySha256: parseMetadata(metadata)?.bodySha256 ?? null,
    isOrderEvent: flowOfType(type) !== null,
  };
};

/** What is known of an event that was just appended. */
export const appendedEvent = (
  { id, type }: NewEvent,
  { revision, position }: Appended,
  bodySha256: Sha256,
  name: EventName,
): KnownEvent => ({
  eventId: id,
  name,
  revision,
  position,
  bodySha256,
  isOrderEvent: flowOfType(type) !== null,
});

/** The history after an event was appended to it; null is the history of an order that was not there. */
export const extended = (history: OrderHistory | null, flow: Flow, event: KnownEvent): OrderHistory => ({
  flow,
  head: event.revision,
  events: history === null ? KnownEvents.of([event]) : history.events.with(event),
});

/**
 * Why nothing is decided over a stream: the store hides its beginning, and what stands there would be recorded once more.
 * Null where it is whole.
 */
const cutOff = ({ revision, stream }: RecordedEvent): AppendRefused | null => {
  if (revision === 0) return null;
  const detail =
    `its stream was cut off, and begins with revision ${revision}: ` +
    `take $tb, $maxCount and $maxAge out of the metadata of ${stream}, and hand in again what was set aside`;
  return { _tag: 'AppendRefused', detail };
};

/** The flow of an order by the event that its stream begins with. */
const flowOf = (first: RecordedEvent): E.Either<AppendRefused | UnreadableEvent, Flow> => {
  const refused = cutOff(first);
  if (refused !== null) return E.left(refused);
  const flow = flowOfType(first.type);
  return flow === null
    ? E.left(unreadableEvent(first, 'its stream does not begin with an order event'))
    : E.right(flow);
};

/** Reads an order's history from its whole stream, of which it keeps nothing else; null for a stream that is not there. */
export const historyOf = async (
  pages: StreamPages,
): Promise<E.Either<StoreUnavailable | AppendRefused | UnreadableEvent, OrderHistory | null>> => {
  let history: OrderHistory | null = null;
  let work = 0;
  for await (const page of pages) {
    if (E.isLeft(page)) return page;
    for (const event of page.right) {
      const flow: E.Either<AppendRefused | UnreadableEvent, Flow> =
        history === null ? flowOf(event) : E.right(history.flow);
      if (E.isLeft(flow)) return flow;
      const ofEvent = workOf(event);
      if (work > 0 && work + ofEvent > BYTES_A_TURN) {
        await turn();
        work = 0;
      }
      work += ofEvent;
      history = extended(history, flow.right, knownEvent(event));
    }
  }
  return E.right(history);
};
