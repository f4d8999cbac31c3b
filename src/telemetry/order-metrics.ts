import { Gauge, type Registry } from 'prom-client';
import { FLOWS, type Flow } from '../domain/flow.ts';
import { isListed, OFF_RAMP_STATUSES, ON_RAMP_STATUSES } from '../domain/status.ts';
import { setGauge } from './set-gauge.ts';

/** How many orders there are, and how many of them need somebody's attention. */
export type OrderFigures = {
  readonly orders: readonly { readonly flow: Flow; readonly status: string; readonly orders: number }[];
  /** Orders that have an anomaly, by its code; an order may have several. */
  readonly anomalies: Readonly<Record<string, number>>;
  /** Deliveries in quarantine that were neither released nor closed. */
  readonly quarantined: number;
};

const STATUSES: Readonly<Record<Flow, readonly string[]>> = { onramp: ON_RAMP_STATUSES, offramp: OFF_RAMP_STATUSES };

/** All statuses that the interface does not list are one series: a provider may send any text. */
const UNLISTED = 'unlisted';

/** Shows orders by status and anomaly, and the quarantine; null: they are not known now. */
export const orderMetrics = (registry: Registry): ((figures: OrderFigures | null) => void) => {
  const orders = new Gauge({
    name: 'ramp_ledger_orders',
    help: 'Orders by flow and shown status; statuses that the interface does not list are "unlisted".',
    labelNames: ['flow', 'status'] as const,
    registers: [registry],
  });
  const anomalies = new Gauge({
    name: 'ramp_ledger_order_anomalies',
    help: 'Orders that have an anomaly now, by its code; an order with several counts for each.',
    labelNames: ['code'] as const,
    registers: [registry],
  });
  const quarantined = new Gauge({
    name: 'ramp_ledger_quarantined_deliveries',
    help: 'Deliveries in quarantine that were neither released nor closed.',
    registers: [registry],
  });
  return (figures) => {
    orders.reset();
    anomalies.reset();
    setGauge(quarantined, figures?.quarantined ?? null);
    if (figures === null) return;
    for (const flow of FLOWS) for (const status of [...STATUSES[flow], UNLISTED]) orders.set({ flow, status }, 0);
    for (const { flow, status, orders: count } of figures.orders) {
      orders.inc({ flow, status: isListed(flow, status) ? status : UNLISTED }, count);
    }
    for (const [code, count] of Object.entries(figures.anomalies)) anomalies.set({ code }, count);
  };
};
