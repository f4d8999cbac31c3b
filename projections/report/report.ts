import type { Decimal } from '../../src/domain/decimal.ts';
import type { Phase } from '../../src/domain/status.ts';
import type { Facet } from './facet.ts';
import type { Measures } from './measures.ts';

/** What a report can be grouped by; the currency is a key of every row anyway (docs/spec/http.md, A report). */
export const GROUP_KEYS = ['day', 'month', 'currency', 'token', 'chain'] as const;

export type GroupKey = (typeof GROUP_KEYS)[number];

/** A cell as a report takes it. `period`: a business day, or a month where no day is asked for; looked at only where day or month is grouped by. */
export type ReportCell = {
  readonly period: string;
  readonly facet: Facet;
  readonly measures: Measures;
};

/** Sums for one token address, compared without case, on one chain, over settled orders. Off-ramp lines have neither base units nor rate. */
export type TokenLine = {
  /** The lowest of the spellings in code-unit order, and so is `address`. */
  readonly symbol: string;
  readonly address: string;
  readonly chainId: Decimal;
  readonly amount: Decimal;
  readonly baseUnits: Decimal | null;
  /** Weighted by amount, over orders that have both; 12 significant digits, half even; null where there is none. */
  readonly averageConversionRate: Decimal | null;
};

/** Sums over orders of one currency. */
export type ReportSums = {
  readonly currency: string;
  readonly orders: number;
  /** In code-unit order of the statuses; a status may be any text. */
  readonly byStatus: ReadonlyMap<string, number>;
  /** `asked` is the sum of the others. */
  readonly fiat: Readonly<Record<'asked' | Phase, Decimal>>;
  /** Ordered by address in lower case and chain. */
  readonly tokens: readonly TokenLine[];
  readonly commission: Decimal;
  readonly tds: Decimal;
  /** Orders with at least one anomaly that does not depend on the clock. */
  readonly anomalies: number;
};

/** A row; its key members are there as it is grouped. */
export type ReportRow = ReportSums & {
  readonly day?: string;
  readonly month?: string;
  /** The symbol. */
  readonly token?: string;
  readonly chainId?: Decimal;
};

export type Report = {
  /** Ordered by day, month, currency, token, and chain as a number. */
  readonly rows: readonly ReportRow[];
  /** One for each currency. */
  readonly totals: readonly ReportSums[];
};
