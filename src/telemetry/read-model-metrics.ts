import { Counter, Gauge, type Registry } from 'prom-client';
import { setGauge } from './set-gauge.ts';

/** How far the read models are. What is not known now is null. */
type ReadModelFigures = {
  /** Number of the generation that serves; null as long as none does. */
  readonly generation: number | null;
  /** The share of a build under way, 0 to 1; null: none is under way. */
  readonly building: number | null;
  readonly position: number | null;
  /** The position of the log's last event. */
  readonly head: number | null;
  /** The age of the first event that they lack; 0 where they lack none. */
  readonly lagSeconds: number | null;
};

/** Counts what goes wrong with the read models, and shows how far they are. */
export type ReadModelMetrics = {
  readonly failed: () => void;
  readonly unreadable: (events: number) => void;
  readonly show: (figures: ReadModelFigures) => void;
};

const lagOf = ({ position, head }: ReadModelFigures): number | null =>
  head === null ? null : Math.max(0, head - (position ?? 0));

const builtRatio = ({ building, generation }: ReadModelFigures): number => building ?? (generation === null ? 0 : 1);

export const readModelMetrics = (registry: Registry): ReadModelMetrics => {
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers: [registry] });
  const counter = (name: string, help: string): Counter => new Counter({ name, help, registers: [registry] });
  const failures = counter(
    'ramp_ledger_read_models_failures_total',
    'Times that the read models could not follow the log; they try again.',
  );
  const unreadable = counter(
    'ramp_ledger_unreadable_events_total',
    'Damaged events that the read models met, which orders are shown without.',
  );
  const generation = gauge(
    'ramp_ledger_read_models_generation',
    'Number of the generation of read models that serves.',
  );
  const building = gauge('ramp_ledger_read_models_building', 'Whether read models are being built: 1, else 0.');
  const ratio = gauge(
    'ramp_ledger_read_models_built_ratio',
    'The share of a build that is done; 1 where none is under way.',
  );
  const position = gauge(
    'ramp_ledger_read_models_position',
    'Position of the last event that the read models include.',
  );
  const head = gauge('ramp_ledger_event_store_position', 'Position of the last event of the log.');
  const lag = gauge(
    'ramp_ledger_read_models_lag_positions',
    'How far the read models are behind the log: events on SQLite, bytes of the log on EventStoreDB.',
  );
  const lagSeconds = gauge(
    'ramp_ledger_read_models_lag_seconds',
    'The age of the first event that the read models lack; 0 where they lack none.',
  );
  return {
    failed: () => failures.inc(),
    unreadable: (events) => unreadable.inc(events),
    show: (figures) => {
      setGauge(generation, figures.generation);
      setGauge(building, figures.building === null ? 0 : 1);
      setGauge(ratio, builtRatio(figures));
      setGauge(position, figures.position);
      setGauge(head, figures.head);
      setGauge(lag, lagOf(figures));
      setGauge(lagSeconds, figures.lagSeconds);
    },
  };
};
