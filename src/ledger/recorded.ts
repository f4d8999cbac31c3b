import type { OrderId, StreamName } from '../domain/ids.ts';
import type { OrderOutcome } from '../domain/quarantine-data.ts';
import type { UnreadableEvent } from '../domain/unreadable-event.ts';
import type { AppendRefused, StoreUnavailable } from '../event-store/event-store.ts';
import type { KnownEvent } from './known-events.ts';

/**
 * What became of a delivery, and its event: what the provider is answered (docs/spec/receiving.md,
 * Replies).
 */
export type Recorded = {
  readonly outcome: OrderOutcome | 'quarantined';
  /** Null where a quarantined body names no order. */
  readonly orderId: OrderId | null;
  readonly stream: StreamName;
  /** Its event: the one that was appended, or the one that was there. */
  readonly event: KnownEvent;
};

export type RecordFailure =
  /** Nothing is known to be durable; the provider is to send it again. */
  | StoreUnavailable
  /** The store will never take it: repeating changes nothing. */
  | AppendRefused
  /** Others wrote to the same stream each time; the provider is to send it again. */
  | { readonly _tag: 'RacesLost'; readonly stream: StreamName }
  /** A stream holds an event that can't be read, so nothing can be decided over it. */
  | UnreadableEvent;

/** What operators are told of a failure: where and why, without a byte of what was delivered or stored. */
export const describeFailure = (failure: RecordFailure): string => {
  if (failure._tag === 'AppendRefused') return `the event store refused it for good: ${failure.detail}`;
  if (failure._tag === 'StoreUnavailable') return `the event store: ${failure.detail}`;
  if (failure._tag === 'RacesLost') return `other deliveries were always faster on stream ${failure.stream}`;
  return `event ${failure.revision} of stream ${failure.stream}: ${failure.problem}`;
};
