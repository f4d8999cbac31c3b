import { lowerAscii } from '../domain/letter-case.ts';
import {
  CLOCK_ANOMALIES,
  LASTING_ANOMALIES,
  type ClockAnomalyCode,
  type LastingAnomalyCode,
} from '../../projections/order-state/index.ts';
import type { Basis, Facet } from '../../projections/report/index.ts';
import type { BusinessDay } from '../domain/business-day.ts';
import type { Decimal } from '../domain/decimal.ts';
import type { Flow } from '../domain/flow.ts';
import type { Phase } from '../domain/status.ts';
import type { OrderSearch } from './order-search.ts';

/**
 * What an order list can be narrowed to by anomaly: a code, any at all, those that reports count, or those that come with
 * time (docs/spec/http.md, Orders).
 */
export const ANOMALY_FILTERS = ['any', 'lasting', 'clock', ...LASTING_ANOMALIES, ...CLOCK_ANOMALIES] as const;

type AnomalyFilter = (typeof ANOMALY_FILTERS)[number];

/** Which orders a list is of (docs/spec/http.md, Orders); null: all of them. */
export type OrderFilter = {
  readonly flow: Flow | null;
  /** In lower case. */
  readonly status: string | null;
  /** In upper case. */
  readonly currency: string | null;
  /** A symbol or an address, in lower case. */
  readonly token: string | null;
  /** Normalised. */
  readonly chainId: Decimal | null;
  readonly phase: Phase | null;
  readonly basis: Basis;
  /** Business days, both inclusive. */
  readonly from: BusinessDay | null;
  readonly to: BusinessDay | null;
  readonly anomaly: AnomalyFilter | null;
  readonly q: OrderSearch | null;
};

/** All of them, the newest created first. */
export const EVERY_ORDER: OrderFilter = {
  flow: null,
  status: null,
  currency: null,
  token: null,
  chainId: null,
  phase: null,
  basis: 'created',
  from: null,
  to: null,
  anomaly: null,
  q: null,
};

/** Whether orders of a facet are in a list: never, always, or each from the moment its clock anomaly begins. */
export type FacetMatch = 'never' | 'always' | 'when-due';

const isClockCode = (code: AnomalyFilter): code is ClockAnomalyCode => CLOCK_ANOMALIES.some((clock) => clock === code);

const isLastingCode = (code: AnomalyFilter): code is LastingAnomalyCode =>
  LASTING_ANOMALIES.some((lasting) => lasting === code);

const anomalyMatch = ({ lasting, clock }: Facet, anomaly: AnomalyFilter): FacetMatch => {
  if (anomaly === 'clock') return clock === null ? 'never' : 'when-due';
  if (isClockCode(anomaly)) return clock === anomaly ? 'when-due' : 'never';
  if (isLastingCode(anomaly)) return lasting.includes(anomaly) ? 'always' : 'never';
  if (lasting.length > 0) return 'always';
  return anomaly === 'any' && clock !== null ? 'when-due' : 'never';
};

const isToken = ({ symbol, address }: Facet, token: string): boolean =>
  lowerAscii(symbol) === token || lowerAscii(address) === token;

/** What a filter says of a facet; dates and search are of single orders. */
export const facetMatch = (facet: Facet, filter: OrderFilter): FacetMatch => {
  const { flow, status, currency, token, chainId, phase, anomaly } = filter;
  const fits =
    (flow === null || facet.flow === flow) &&
    (status === null || lowerAscii(facet.status) === status) &&
    (currency === null || facet.currency === currency) &&
    (token === null || isToken(facet, token)) &&
    (chainId === null || facet.chainId === chainId) &&
    (phase === null || facet.phase === phase);
  if (!fits) return 'never';
  return anomaly === null ? 'always' : anomalyMatch(facet, anomaly);
};
