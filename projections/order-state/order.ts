import type { BaseUnits, Decimal } from '../../src/domain/decimal.ts';
import type { Flow } from '../../src/domain/flow.ts';
import type { EventId, OrderId, Revision, Utr } from '../../src/domain/ids.ts';
import type { Instant } from '../../src/domain/instant.ts';
import type { JsonObject } from '../../src/domain/json.ts';
import type { CustomerFacts } from '../../src/domain/order-facts.ts';
import type { Phase } from '../../src/domain/status.ts';

/**
 * The anomaly codes of docs/spec/domain.md, Anomalies, that follow from an order's events alone: those that reports
 * count.
 */
export const LASTING_ANOMALIES = [
  'refunded-after-settlement',
  'progress-after-expiry',
  'second-payout',
  'payout-paid-and-failed',
  'fact-changed',
  'conflicting-delivery',
  'unlisted-status',
  'field-unreadable',
  'sample-completed',
] as const;

/** Those that come and go with the clock. */
export const CLOCK_ANOMALIES = ['overdue', 'deemed-too-long'] as const;

export type LastingAnomalyCode = (typeof LASTING_ANOMALIES)[number];
export type ClockAnomalyCode = (typeof CLOCK_ANOMALIES)[number];

/** One thing that does not fit. `field` orders anomalies of one code, and tells whose values `values` are. */
export type Anomaly<Code extends string = LastingAnomalyCode | ClockAnomalyCode> = {
  readonly code: Code;
  /** The changed or unreadable field (`customer.email`), the utr, the status: what the anomaly is about; empty where the code says it all. */
  readonly field: string;
  /** The values that came, ordered by content; masked where `field` is personal. */
  readonly values: readonly string[];
  /** Never empty; ordered by content. */
  readonly eventIds: readonly EventId[];
};

/** A payout attempt (docs/spec/domain.md, Payouts). */
export type Payout = {
  readonly utr: Utr | null;
  readonly state: 'deemed' | 'failed' | 'paid';
  readonly eventIds: readonly EventId[];
};

/** The state of an order as its events give it, without a clock: a function of the set of events, receipt times and revision apart. */
export type OrderState = {
  readonly orderId: OrderId;
  readonly flow: Flow;
  readonly status: string;
  readonly phase: Phase;
  readonly fiat: { readonly amount: Decimal; readonly currency: string };
  readonly token: {
    readonly symbol: string;
    readonly address: string;
    readonly chainId: Decimal;
    readonly amount: Decimal | null;
    readonly baseUnits: BaseUnits | null;
  };
  readonly walletAddress: string;
  readonly txnHash: string | null;
  readonly commission: Decimal | null;
  readonly conversionRate: Decimal | null;
  readonly transactionId: string | null;
  readonly tokensDeducted: Decimal | null;
  readonly tds: Decimal | null;
  readonly tenantId: string | null;
  readonly payouts: readonly Payout[];
  readonly customer: CustomerFacts;
  /** Empty where no event brought any. */
  readonly metaData: JsonObject;
  readonly createdAt: Instant;
  readonly settledAt: Instant | null;
  readonly firstReceivedAt: Instant;
  readonly lastReceivedAt: Instant;
  readonly revision: Revision;
  readonly eventCount: number;
  readonly anomalies: readonly Anomaly<LastingAnomalyCode>[];
  /** When a clock anomaly begins, as long as no further event arrives, and the events that it names; null where none can. */
  readonly clockAnomaly: {
    readonly code: ClockAnomalyCode;
    /** The anomaly is there at every moment after this one. */
    readonly after: Instant;
    readonly eventIds: readonly EventId[];
  } | null;
};

/** An order as of a moment: its state, and the anomalies that hold then. */
export type Order = Omit<OrderState, 'anomalies' | 'clockAnomaly'> & {
  readonly overdue: boolean;
  /** Ordered by code and field. */
  readonly anomalies: readonly Anomaly[];
};
