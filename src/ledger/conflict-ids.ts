import { conflictNamesEver } from '../domain/conflict-names.ts';
import { conflictEventId } from '../domain/event-id.ts';
import { factsDigest } from '../domain/facts-digest.ts';
import { keyOf } from '../domain/order-key.ts';
import type { OrderPayload } from '../domain/payload.ts';

/**
 * The ids that the `ConflictingDelivery` of a delivery may have: that of today, and those that ledgers before 2026-11-26
 * gave, which were its names (docs/decisions/0004-ids.md).
 */
export const conflictIdsOf = (payload: OrderPayload, signature: string): readonly string[] => {
  const { orderId, status, utr } = keyOf(payload);
  return [conflictEventId(orderId, status, utr, factsDigest(payload), signature), ...conflictNamesEver(payload)];
};
