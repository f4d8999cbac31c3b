import type { FoldedEvent } from '../../src/domain/ledger-event.ts';
import { isListed, rankOf } from '../../src/domain/status.ts';
import { anomaly, inOrder } from './anomaly.ts';
import { changedFacts } from './changed-facts.ts';
import { eventsByKey } from './events-by-key.ts';
import type { Anomaly, LastingAnomalyCode } from './order.ts';
import { ofStatus, type Attempt } from './payout-attempts.ts';
import type { RankedEvents } from './ranked-events.ts';
import { isRefund, isSettling } from './settlement.ts';

type Anomalies = readonly Anomaly<LastingAnomalyCode>[];

const NONE: Anomalies = [];

const refundedAfterSettlement = (events: RankedEvents): Anomalies => {
  if (!events.some(isRefund)) return NONE;
  const refunds = events.filter(isRefund);
  const settlements = events.filter(isSettling);
  if (settlements.length === 0) return NONE;
  return [anomaly('refunded-after-settlement', [...refunds, ...settlements])];
};

const PROGRESS = { from: rankOf('onramp', 'orderReceived'), to: rankOf('onramp', 'completed') };

const isProgress = ({ facts }: FoldedEvent): boolean => {
  const rank = rankOf(facts.flow, facts.status);
  return facts.flow === 'onramp' && rank >= PROGRESS.from && rank <= PROGRESS.to;
};

const progressAfterExpiry = (events: RankedEvents): Anomalies => {
  const expiries = events.filter(({ facts }) => facts.flow === 'onramp' && facts.status === 'expired');
  if (expiries.length === 0) return NONE;
  const progress = events.filter(isProgress);
  if (progress.length === 0) return NONE;
  return [anomaly('progress-after-expiry', [...expiries, ...progress])];
};

const secondPayout = (attempts: readonly Attempt[]): Anomalies => {
  const paid = attempts.filter(({ state }) => state === 'paid');
  if (paid.length < 2) return NONE;
  const successes = paid.flatMap(({ events }) => ofStatus(events, 'PayoutSuccess'));
  const values = paid.map(({ utr }) => utr ?? '');
  return [anomaly('second-payout', successes, { values })];
};

const paidAndFailed = ({ utr, events }: Attempt): Anomalies => {
  const [successes, failures] = [ofStatus(events, 'PayoutSuccess'), ofStatus(events, 'fiatFailed')];
  if (successes.length === 0 || failures.length === 0) return NONE;
  const about = { field: utr ?? '', values: utr === null ? [] : [utr] };
  return [anomaly('payout-paid-and-failed', [...successes, ...failures], about)];
};

const sampleCompleted = (events: RankedEvents): Anomalies => {
  const samples = events.filter(({ facts }) => facts.flow === 'offramp' && facts.status === 'completed');
  if (samples.length === 0 || events.some(isSettling)) return NONE;
  return [anomaly('sample-completed', samples)];
};

const unlistedStatuses = (events: RankedEvents): Anomalies => {
  const unlisted = events.filter(({ facts }) => !isListed(facts.flow, facts.status));
  if (unlisted.length === 0) return NONE;
  return [...eventsByKey(unlisted, ({ facts }) => [facts.status])].map(([status, its]) =>
    anomaly('unlisted-status', its, {
      field: status,
      values: [status],
    }),
  );
};

const unreadableFields = (events: RankedEvents): Anomalies => {
  if (events.every(({ facts }) => facts.unreadable.length === 0)) return NONE;
  return [...eventsByKey(events, ({ facts }) => facts.unreadable)].map(([path, its]) =>
    anomaly('field-unreadable', its, { field: path }),
  );
};

const conflictingDeliveries = (conflicts: readonly FoldedEvent[]): Anomalies => {
  if (conflicts.length === 0) return NONE;
  return [...eventsByKey(conflicts, ({ facts }) => [JSON.stringify([facts.status, facts.utr])]).values()].flatMap(
    (its) =>
      its.slice(0, 1).map(({ facts: { status, utr } }) => {
        const field = utr === null ? status : `${status} ${utr}`;
        return anomaly('conflicting-delivery', its, { field, values: [field] });
      }),
  );
};

/**
 * Everything about an order that does not fit, as far as its events alone tell (docs/spec/domain.md, Anomalies), one
 * anomaly for each code and field. `attempts` are those of `events`; `conflicts` its conflicting deliveries.
 */
export const lastingAnomalies = (
  events: RankedEvents,
  attempts: readonly Attempt[],
  conflicts: readonly FoldedEvent[],
): Anomalies => {
  const found = [
    refundedAfterSettlement(events),
    progressAfterExpiry(events),
    secondPayout(attempts),
    attempts.flatMap(paidAndFailed),
    changedFacts(events),
    conflictingDeliveries(conflicts),
    unlistedStatuses(events),
    unreadableFields(events),
    sampleCompleted(events),
  ];
  // Nearly every order has none.
  return found.every((anomalies) => anomalies.length === 0) ? NONE : inOrder(found.flat());
};
