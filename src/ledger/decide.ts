import { conflictEventId } from '../domain/event-id.ts';
import { factsDigest } from '../domain/facts-digest.ts';
import type { Content, VerifiedDelivery } from '../domain/delivery.ts';
import type { EventId, Sha256 } from '../domain/ids.ts';
import { conflictEvent, orderEvent, type EventForStream } from '../domain/new-event.ts';
import { keyOf } from '../domain/order-key.ts';
import type { OrderOutcome } from '../domain/quarantine-data.ts';
import type { Reason } from '../domain/reason.ts';
import type { EventPlace, OrderHistory } from './order-history.ts';

/** What to do about a delivery (docs/spec/domain.md, Decision). */
export type Decision =
  | { readonly _tag: 'Append'; readonly outcome: OrderOutcome; readonly event: EventForStream }
  /** It is there: nothing is appended, and the answer is about the event that is. */
  | { readonly _tag: 'AlreadyThere'; readonly outcome: OrderOutcome; readonly place: EventPlace }
  /** The order belongs to the other flow: the delivery goes to quarantine. */
  | { readonly _tag: 'OtherFlow'; readonly reasons: readonly Reason[] }
  /** The history at hand holds no facts to compare with: decide again over the stream itself. */
  | { readonly _tag: 'NeedsFacts' };

type OrderContent = Extract<Content, { _tag: 'OrderEvent' }>;

const placeOf = (history: OrderHistory, eventId: EventId): EventPlace | undefined =>
  history.places.find((place) => place.eventId === eventId);

const otherFlow = (history: OrderHistory): Decision => ({
  _tag: 'OtherFlow',
  reasons: [{ path: 'orderId', message: `names an order of the other flow: that order is ${history.flow}` }],
});

const conflict = (
  history: OrderHistory,
  verified: VerifiedDelivery,
  content: OrderContent,
  facts: Sha256,
): Decision => {
  const { orderId, status, utr } = keyOf(content.payload);
  const place = placeOf(history, conflictEventId(orderId, status, utr, facts));
  return place === undefined
    ? { _tag: 'Append', outcome: 'conflict', event: conflictEvent(verified, content, facts) }
    : { _tag: 'AlreadyThere', outcome: 'conflict', place };
};

/**
 * Decides on an order event over the order's history at one exact revision; null is the history of an order that is not
 * there. Pure: the same history and delivery give the same decision.
 */
export const decide = (history: OrderHistory | null, verified: VerifiedDelivery, content: OrderContent): Decision => {
  if (history === null) return { _tag: 'Append', outcome: 'recorded', event: orderEvent(verified, content) };
  if (history.flow !== content.payload.eventType) return otherFlow(history);
  const place = placeOf(history, content.eventId);
  if (place === undefined) return { _tag: 'Append', outcome: 'recorded', event: orderEvent(verified, content) };
  if (place.bodySha256 === verified.bodySha256) return { _tag: 'AlreadyThere', outcome: 'duplicate', place };
  const there = history.factsAt(place.revision);
  if (there === 'not-held') return { _tag: 'NeedsFacts' };
  const facts = factsDigest(content.payload);
  return there === facts
    ? { _tag: 'AlreadyThere', outcome: 'duplicate', place }
    : conflict(history, verified, content, facts);
};
