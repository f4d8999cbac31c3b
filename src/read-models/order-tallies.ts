import type { ClockAnomalyCode, LastingAnomalyCode } from '../../projections/order-state/index.ts';
import type { Facet } from '../../projections/report/index.ts';
import type { Decimal } from '../domain/decimal.ts';
import type { Flow } from '../domain/flow.ts';

/** Orders of one facet. `due`: those of them whose clock anomaly has begun. */
export type FacetTally = { readonly facet: Facet; readonly orders: number; readonly due: number };

/** How many orders there are, as of a moment. */
export type OrderTallies = {
  /** By the shown status; each pair of flow and status once, none without orders. */
  readonly orders: readonly { readonly flow: Flow; readonly status: string; readonly orders: number }[];
  /** Their currencies in upper case, each once, in code-unit order. */
  readonly currencies: readonly string[];
  /** The symbols of their tokens, each once, in code-unit order. */
  readonly tokens: readonly string[];
  /** The ids of their chains, each once, in code-unit order. */
  readonly chainIds: readonly Decimal[];
  /** Orders that have an anomaly, by its code; an order with several counts for each. */
  readonly anomalies: Readonly<Record<LastingAnomalyCode | ClockAnomalyCode, number>>;
};

/** Counts orders by status and by anomaly, from how many there are of each facet. */
export const orderTallies = (facets: Iterable<FacetTally>): OrderTallies => {
  const orders = { onramp: new Map<string, number>(), offramp: new Map<string, number>() };
  const anomalies = {
    'refunded-after-settlement': 0,
    'progress-after-expiry': 0,
    'second-payout': 0,
    'payout-paid-and-failed': 0,
    'fact-changed': 0,
    'conflicting-delivery': 0,
    'unlisted-status': 0,
    'field-unreadable': 0,
    'sample-completed': 0,
    overdue: 0,
    'deemed-too-long': 0,
  };
  const currencies = new Set<string>();
  const tokens = new Set<string>();
  const chainIds = new Set<Decimal>();
  for (const { facet, orders: count, due } of facets) {
    currencies.add(facet.currency);
    tokens.add(facet.symbol);
    chainIds.add(facet.chainId);
    const ofFlow = orders[facet.flow];
    ofFlow.set(facet.status, (ofFlow.get(facet.status) ?? 0) + count);
    for (const code of facet.lasting) anomalies[code] += count;
    if (facet.clock !== null) anomalies[facet.clock] += due;
  }
  const listed = (flow: Flow): OrderTallies['orders'] =>
    [...orders[flow]].map(([status, count]) => ({ flow, status, orders: count }));
  return {
    orders: [...listed('onramp'), ...listed('offramp')],
    currencies: [...currencies].toSorted(),
    tokens: [...tokens].toSorted(),
    chainIds: [...chainIds].toSorted(),
    anomalies,
  };
};
