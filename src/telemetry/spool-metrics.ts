import { Gauge, type Registry } from 'prom-client';
import { setGauge } from './set-gauge.ts';

/** What waits for the event store on this machine. */
export type SpoolFigures = {
  /** Null: being counted, behind a start; so with the next two. */
  readonly deliveries: number | null;
  readonly setAside: number | null;
  /** 0 where none waits. */
  readonly oldestAgeSeconds: number | null;
  /** About so much while it is counted. */
  readonly bytes: number;
  readonly limitBytes: number;
};

/** Shows the spool; null: this ledger has none. */
export const spoolMetrics = (registry: Registry): ((spool: SpoolFigures | null) => void) => {
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers: [registry] });
  const deliveries = gauge(
    'ramp_ledger_spool_deliveries',
    'Deliveries that wait for the event store; absent while they are counted behind a start.',
  );
  const setAside = gauge(
    'ramp_ledger_spool_set_aside_deliveries',
    'Deliveries that the event store refused for good, and a person has to look at; absent while they are counted behind a start.',
  );
  const oldestAge = gauge(
    'ramp_ledger_spool_oldest_age_seconds',
    'Since when the first of the deliveries that wait was received; 0 where none waits.',
  );
  const bytes = gauge('ramp_ledger_spool_bytes', 'What the deliveries in the spool take, those set aside too.');
  const limit = gauge('ramp_ledger_spool_limit_bytes', 'What they may take at most: SPOOL_MAX_BYTES.');
  return (spool) => {
    setGauge(deliveries, spool?.deliveries ?? null);
    setGauge(setAside, spool?.setAside ?? null);
    setGauge(oldestAge, spool?.oldestAgeSeconds ?? null);
    setGauge(bytes, spool?.bytes ?? null);
    setGauge(limit, spool?.limitBytes ?? null);
  };
};
