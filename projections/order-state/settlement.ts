import * as RA from 'fp-ts/lib/ReadonlyArray.js';
import type { Flow } from '../../src/domain/flow.ts';
import type { Instant } from '../../src/domain/instant.ts';
import type { FoldedEvent } from '../../src/domain/ledger-event.ts';
import { isListed } from '../../src/domain/status.ts';
import { earliest, happenedAt } from './event-time.ts';
import type { RankedEvents } from './ranked-events.ts';

const SETTLING: Readonly<Record<Flow, string>> = { onramp: 'completed', offramp: 'PayoutSuccess' };

/** Whether an event settles its order; the off-ramp sample's `completed` does not (docs/spec/http.md, A report). */
export const isSettling = ({ facts }: FoldedEvent): boolean => facts.status === SETTLING[facts.flow];

/** Whether an event refunds its order, or begins to; `refunding` is an on-ramp status only. */
export const isRefund = ({ facts: { flow, status } }: FoldedEvent): boolean =>
  (status === 'refunding' || status === 'refunded') && isListed(flow, status);

/** When an order settled: the earliest of its settling events. It stays after a refund; null where nothing settled it. */
export const settledAt = (events: RankedEvents): Instant | null => {
  const settling = events.filter(isSettling);
  return RA.isNonEmpty(settling) ? earliest(settling, happenedAt) : null;
};
