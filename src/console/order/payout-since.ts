import { happenedAt } from '../../../projections/order-state/index.ts';
import { compareInstants, type Instant } from '../../domain/instant.ts';
import type { LedgerEvent } from '../../domain/ledger-event.ts';
import type { ShownOrder } from '../shown-order.ts';

/** The status of the events that say what an attempt is. */
const STATUS_OF = { deemed: 'fiatDeemed', failed: 'fiatFailed', paid: 'PayoutSuccess' } as const;

type Attempt = ShownOrder['payouts'][number];

const earliest = (moments: readonly Instant[]): Instant | null => moments.toSorted(compareInstants)[0] ?? null;

/** Since when an attempt is what it is: from the earliest event that says so. */
export const payoutSince = ({ state, eventIds }: Attempt, events: readonly LedgerEvent[]): Instant | null =>
  earliest(
    events
      .filter(({ recorded, facts }) => facts.status === STATUS_OF[state] && eventIds.some((id) => id === recorded.id))
      .map(happenedAt),
  );

/** Since when a payout of the order is unconfirmed; null where none is. */
export const unconfirmedSince = (
  { phase, payouts }: Pick<ShownOrder, 'phase' | 'payouts'>,
  events: readonly LedgerEvent[],
): Instant | null =>
  phase === 'deemed'
    ? earliest(payouts.flatMap((attempt) => (attempt.state === 'deemed' ? (payoutSince(attempt, events) ?? []) : [])))
    : null;
