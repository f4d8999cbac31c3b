import type { EventId, OrderId, StreamName } from '../domain/ids.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';

/** How read models differ from a fresh fold of the log. */
export type ReadModelProblem =
  /** The read models can't be opened. */
  | 'read-model-unreadable'
  /** The log has the order, the read models don't. */
  | 'read-model-order-missing'
  /** The read models have an order that the log has not. */
  | 'read-model-order-unknown'
  | 'read-model-order-differs'
  | 'read-model-quarantine-differs'
  /** A sum of a report, or a count, is not that of the orders. */
  | 'read-model-report-differs'
  /** The audit trail's index misses an event, or has one that is not there. */
  | 'read-model-trail-differs'
  /** Bank files, their lines, transfers or decisions are not what their events say. */
  | 'read-model-bank-differs'
  /** An item of the match, or a sum of items, is not what orders, lines, transfers and decisions come to. */
  | 'read-model-match-differs';

/** One difference; what it is not about is null. `detail` says where to look. */
export type ReadModelFailure = {
  readonly stream: StreamName | null;
  readonly revision: number | null;
  readonly eventId: EventId | null;
  readonly orderId: OrderId | null;
  readonly problem: ReadModelProblem;
  readonly detail: string;
};

/** A difference that is about no single order. */
export const readModelFailure = (problem: ReadModelProblem, detail: string): ReadModelFailure => ({
  stream: null,
  revision: null,
  eventId: null,
  orderId: null,
  problem,
  detail,
});

/**
 * A difference that events of one stream lead to.
 *
 * @param events in their order: the last one is named
 */
export const failureOfEvents = (
  problem: ReadModelProblem,
  orderId: OrderId | null,
  events: readonly RecordedEvent[],
  detail: string,
): ReadModelFailure => {
  const head = events.at(-1);
  return {
    stream: head?.stream ?? null,
    revision: head?.revision ?? null,
    eventId: head?.id ?? null,
    orderId,
    problem,
    detail,
  };
};
