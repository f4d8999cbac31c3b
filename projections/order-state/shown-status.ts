import * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js';
import type { OffRampStatus } from '../../src/domain/status.ts';
import { isPayoutEvent, type Attempt } from './payout-attempts.ts';
import type { RankedEvents } from './ranked-events.ts';

const byAttempts = (attempts: readonly Attempt[]): OffRampStatus => {
  if (attempts.some(({ state }) => state === 'paid')) return 'PayoutSuccess';
  // A new attempt after a failed one is under way.
  return attempts.some(({ state }) => state === 'deemed') ? 'fiatDeemed' : 'fiatFailed';
};

/**
 * The status that an order shows (docs/spec/domain.md, Order state): the highest that occurred, an unlisted one only
 * where no listed one did. Among the three payout statuses the attempts decide.
 */
export const shownStatus = (events: RankedEvents, attempts: readonly Attempt[]): string => {
  const top = RNEA.head(events);
  return isPayoutEvent(top) ? byAttempts(attempts) : top.facts.status;
};
