import type { OrderDelivery } from '../domain/delivery.ts';
import { factsDigest } from '../domain/facts-digest.ts';
import type { Sha256 } from '../domain/ids.ts';
import { readContent } from '../domain/read-content.ts';
import { signedBytes, type RecordedEvent } from '../domain/recorded-event.ts';
import type { KnownEvent } from './known-events.ts';
import type { OrderHistory } from './order-history.ts';

/** An order as a delivery finds it: its history, and the event that stands there under the delivery's key. */
export type FoundOrder = {
  readonly history: OrderHistory;
  /** Null where the key is new. */
  readonly sameKey: {
    readonly event: KnownEvent;
    /** Digest of its facts; `same-body` where it holds the very bytes of the delivery; `unreadable` where it is damaged. */
    readonly facts: Sha256 | 'same-body' | 'unreadable';
  } | null;
};

/** The event of a delivery's key. */
export const withSameKey = ({ events }: OrderHistory, { content }: OrderDelivery): KnownEvent | undefined =>
  events.withName(content.eventId);

/**
 * What a history that was kept in memory tells about a delivery. Null where it is not enough: the delivery's key is there
 * with another body, and the facts of that body are in the stream alone.
 */
export const foundInMemory = (history: OrderHistory, delivery: OrderDelivery): FoundOrder | null => {
  const event = withSameKey(history, delivery);
  if (event === undefined) return { history, sameKey: null };
  return event.bodySha256 === delivery.verified.bodySha256 ? { history, sameKey: { event, facts: 'same-body' } } : null;
};

const factsOf = (event: RecordedEvent | undefined): Sha256 | 'unreadable' => {
  const content = event === undefined ? null : readContent(signedBytes(event));
  return content?._tag === 'OrderEvent' ? factsDigest(content.payload) : 'unreadable';
};

/** What a history tells about a delivery together with the event of its key; null where the history has no such event. */
export const foundWith = (
  history: OrderHistory,
  delivery: OrderDelivery,
  stored: (event: KnownEvent) => RecordedEvent | undefined,
): FoundOrder | null => {
  const event = withSameKey(history, delivery);
  return event === undefined ? null : { history, sameKey: { event, facts: factsOf(stored(event)) } };
};
