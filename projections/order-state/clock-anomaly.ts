import * as RA from 'fp-ts/lib/ReadonlyArray.js';
import * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js';
import { laterBy, type Instant } from '../../src/domain/instant.ts';
import type { FoldedEvent } from '../../src/domain/ledger-event.ts';
import { idsOf } from './anomaly.ts';
import { earliest, happenedAt } from './event-time.ts';
import type { ClockAnomalyCode, OrderState } from './order.ts';
import { ofStatus, type Attempt } from './payout-attempts.ts';
import type { RankedEvents } from './ranked-events.ts';

type ClockAnomaly = OrderState['clockAnomaly'];

const HOUR = 3_600_000;

/** How long an on-ramp order may stay pending from its creation on (docs/spec/provider.md, Limits). */
export const OVERDUE_AFTER_MS = 3 * HOUR;

/** How long a payout may stay deemed (docs/spec/domain.md, Anomalies). */
const DEEMED = 24 * HOUR;

const beginning = (code: ClockAnomalyCode, after: Instant | null, events: readonly FoldedEvent[]): ClockAnomaly =>
  after === null ? null : { code, after, eventIds: idsOf(events) };

/**
 * The anomaly that an order runs into if nothing more arrives (docs/spec/domain.md, Anomalies): `overdue` where
 * fiatPending is the on-ramp order's only status, `deemed-too-long` where it is shown as fiatDeemed.
 */
export const clockAnomaly = (events: RankedEvents, attempts: readonly Attempt[], shown: string): ClockAnomaly => {
  const { flow, createdAt } = RNEA.head(events).facts;
  if (flow === 'onramp') {
    const onlyPending = events.every(({ facts }) => facts.status === 'fiatPending');
    return onlyPending ? beginning('overdue', laterBy(createdAt, OVERDUE_AFTER_MS), events) : null;
  }
  if (shown !== 'fiatDeemed') return null;
  const deemed = attempts
    .filter(({ state }) => state === 'deemed')
    .flatMap((attempt) => ofStatus(attempt.events, 'fiatDeemed'));
  return RA.isNonEmpty(deemed)
    ? beginning('deemed-too-long', laterBy(earliest(deemed, happenedAt), DEEMED), deemed)
    : null;
};
