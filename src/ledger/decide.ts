import type { OrderDelivery } from '../domain/delivery.ts';
import { conflictEventId, conflictName } from '../domain/event-id.ts';
import { factsDigest } from '../domain/facts-digest.ts';
import { conflictEvent, orderEvent, type EventForStream } from '../domain/new-event.ts';
import type { ConflictName } from '../domain/ids.ts';
import { keyOf } from '../domain/order-key.ts';
import type { Reason } from '../domain/reason.ts';
import type { FoundOrder } from './found-order.ts';
import type { KnownEvent } from './known-events.ts';
import type { OrderHistory } from './order-history.ts';

/** What a delivery of an order event means (docs/spec/domain.md, Decision). */
export type Decision =
  /** Its key is new: the order event is appended. */
  | { readonly _tag: 'NewKey'; readonly event: EventForStream }
  /** The event under its key states the same facts: nothing is appended. */
  | { readonly _tag: 'SameFacts'; readonly event: KnownEvent }
  /** The event under its key states other facts: they are kept beside it. */
  | { readonly _tag: 'OtherFacts'; readonly event: EventForStream; readonly name: ConflictName }
  /** The event under its key states other facts, and the delivery's are kept already: nothing is appended. */
  | { readonly _tag: 'KnownOtherFacts'; readonly event: KnownEvent }
  /** The order belongs to the other flow: the delivery goes to quarantine. */
  | { readonly _tag: 'OtherFlow'; readonly reasons: readonly Reason[] };

const otherFlow = ({ flow }: OrderHistory): Decision => ({
  _tag: 'OtherFlow',
  reasons: [{ path: 'orderId', message: `names an order of the other flow: that order is ${flow}` }],
});

/**
 * Decides what a delivery means to an order; null is an order that is not there. Pure: the same order and delivery give
 * the same decision.
 */
export const decide = (order: FoundOrder | null, { verified, content }: OrderDelivery): Decision => {
  if (order === null) return { _tag: 'NewKey', event: orderEvent(verified, content) };
  const { history, sameKey } = order;
  if (history.flow !== content.payload.eventType) return otherFlow(history);
  if (sameKey === null) return { _tag: 'NewKey', event: orderEvent(verified, content) };
  if (sameKey.facts === 'same-body') return { _tag: 'SameFacts', event: sameKey.event };
  const facts = factsDigest(content.payload);
  if (sameKey.facts === facts) return { _tag: 'SameFacts', event: sameKey.event };
  const { orderId, status, utr } = keyOf(content.payload);
  const name = conflictName(orderId, status, utr, facts);
  const { events } = history;
  // A conflict that is damaged is known by its id alone: what this very delivery brought is not kept under one id twice.
  const kept =
    events.withName(name) ?? events.withName(conflictEventId(orderId, status, utr, facts, verified.signature));
  return kept === undefined
    ? { _tag: 'OtherFacts', event: conflictEvent(verified, content, facts), name }
    : { _tag: 'KnownOtherFacts', event: kept };
};
