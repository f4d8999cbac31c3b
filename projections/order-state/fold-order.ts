import * as RA from 'fp-ts/lib/ReadonlyArray.js';
import * as RNEA from 'fp-ts/lib/ReadonlyNonEmptyArray.js';
import type { Instant } from '../../src/domain/instant.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { FoldedEvent } from '../../src/domain/ledger-event.ts';
import type { OrderFacts } from '../../src/domain/order-facts.ts';
import { phaseOf } from '../../src/domain/status.ts';
import { clockAnomaly } from './clock-anomaly.ts';
import { earliest, latest } from './event-time.ts';
import { lastingAnomalies } from './lasting-anomalies.ts';
import type { OrderState } from './order.ts';
import { payoutAttempts, payoutOf } from './payout-attempts.ts';
import { distinctEvents, highest, highestText, ranked, type RankedEvents } from './ranked-events.ts';
import { settledAt } from './settlement.ts';
import { shownStatus } from './shown-status.ts';

const receivedAt = (event: FoldedEvent): Instant => event.receivedAt;

/** Metadata with members; null for `{}`, which counts as absent. */
const fullMetaData = ({ metaData }: OrderFacts): JsonObject | null =>
  metaData === null || Object.keys(metaData).length === 0 ? null : metaData;

type Facts = Omit<
  OrderState,
  | 'status'
  | 'phase'
  | 'payouts'
  | 'settledAt'
  | 'firstReceivedAt'
  | 'lastReceivedAt'
  | 'revision'
  | 'eventCount'
  | 'anomalies'
  | 'clockAnomaly'
>;

/** Facts that should not change come from the highest event. Each other fact comes from the highest event that states it. */
const factsOf = (events: RankedEvents): Facts => {
  const { facts } = RNEA.head(events);
  const tokensDeducted = highest(events, (it) => it.tokensDeducted);
  return {
    orderId: facts.orderId,
    flow: facts.flow,
    fiat: { amount: facts.fiat, currency: facts.currency },
    token: {
      symbol: facts.tokenSymbol,
      address: facts.tokenAddress,
      chainId: facts.chainId,
      amount: facts.flow === 'offramp' ? tokensDeducted : highest(events, (it) => it.transferredAmount),
      baseUnits: highest(events, (it) => it.transferredAmountWei),
    },
    walletAddress: facts.walletAddress,
    txnHash: highest(events, (it) => it.txnHash),
    commission: highest(events, (it) => it.commission),
    conversionRate: highest(events, (it) => it.conversionRate),
    transactionId: highestText(events, (it) => it.transactionId),
    tokensDeducted,
    tds: highest(events, (it) => it.tds),
    tenantId: highestText(events, (it) => it.tenantId),
    customer: facts.customer,
    metaData: highest(events, fullMetaData) ?? {},
    createdAt: facts.createdAt,
  };
};

/**
 * The state of an order (docs/spec/domain.md, Order state; docs/spec/http.md, An order) from the events of its stream,
 * in any order and with any repetition: it is a function of their set, receipt times and revision apart. Conflicting
 * deliveries change nothing but revision, count, the last receipt and anomalies. Null where no order event is among
 * them.
 */
export const foldOrder = (events: readonly FoldedEvent[]): OrderState | null => {
  const distinct = distinctEvents(events);
  const orderEvents = distinct.filter(({ kind }) => kind === 'order');
  if (!RA.isNonEmpty(distinct) || !RA.isNonEmpty(orderEvents)) return null;
  const byRank = ranked(orderEvents);
  const attempts = payoutAttempts(byRank);
  const status = shownStatus(byRank, attempts);
  const conflicts = distinct.filter(({ kind }) => kind === 'conflict');
  const facts = factsOf(byRank);
  const head = events.reduce((a, b) => (b.recorded.revision > a.recorded.revision ? b : a));
  return {
    ...facts,
    status,
    phase: phaseOf(facts.flow, status),
    payouts: attempts.map(payoutOf),
    settledAt: settledAt(byRank),
    firstReceivedAt: earliest(byRank, receivedAt),
    lastReceivedAt: latest(distinct, receivedAt),
    revision: head.recorded.revision,
    eventCount: distinct.length,
    anomalies: lastingAnomalies(byRank, attempts, conflicts),
    clockAnomaly: clockAnomaly(byRank, attempts, status),
  };
};
