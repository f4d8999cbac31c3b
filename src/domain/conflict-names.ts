import { conflictName } from './event-id.ts';
import { factsDigest, factsDigestsEver } from './facts-digest.ts';
import type { ConflictName } from './ids.ts';
import { keyOf } from './order-key.ts';
import type { OrderPayload } from './payload.ts';

/** The name of what a payload states, where that is other facts under a key that is there (docs/spec/domain.md, Decision). */
export const conflictNameOf = (payload: OrderPayload): ConflictName => {
  const { orderId, status, utr } = keyOf(payload);
  return conflictName(orderId, status, utr, factsDigest(payload));
};

/** Every name that it may have had: those of facts as ledgers took them once, and which were then the ids of their events. */
export const conflictNamesEver = (payload: OrderPayload): readonly ConflictName[] => {
  const { orderId, status, utr } = keyOf(payload);
  return factsDigestsEver(payload).map((facts) => conflictName(orderId, status, utr, facts));
};
