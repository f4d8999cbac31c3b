import { Counter, Gauge, type Registry } from 'prom-client';
import { setGauge } from './set-gauge.ts';

/** The program that runs. */
export type Build = { readonly version: string; readonly node: string; readonly eventStore: string };

/** How a ledger itself is. */
export type InstanceFigures = {
  /** Whether a delivery could be accepted now. */
  readonly ready: boolean;
  readonly eventStoreUp: boolean;
  /** Whether a page of the file of events is damaged. */
  readonly eventStoreDamaged: boolean;
  /** Null where it is not known now. */
  readonly dataDiskFreeBytes: number | null;
  /** Lines of the log that nobody can read, since the start. */
  readonly logLinesLost: number;
  /** Whether each works, by its name. */
  readonly threads: ReadonlyMap<string, boolean>;
};

/** Shows how this ledger is, and what it is. */
export const instanceMetrics = (registry: Registry, build: Build): ((figures: InstanceFigures) => void) => {
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers: [registry] });
  const ready = gauge('ramp_ledger_ready', 'Whether a delivery could be accepted now: 1, else 0.');
  const up = gauge('ramp_ledger_event_store_up', 'Whether the event store could take an append now: 1, else 0.');
  const damaged = gauge(
    'ramp_ledger_event_store_damaged',
    'Whether a damaged page of the file of events was met since the start: 1, else 0.',
  );
  const disk = gauge(
    'ramp_ledger_data_disk_free_bytes',
    'What is free for the ledger on the disk of its data directory.',
  );
  const lines = new Counter({
    name: 'ramp_ledger_log_lines_lost_total',
    help: 'Lines of the log that were lost: nobody took them in time, or they could not be written.',
    registers: [registry],
  });
  const info = new Gauge({
    name: 'ramp_ledger_build_info',
    help: 'Always 1; its labels say what runs.',
    labelNames: ['version', 'node', 'event_store'] as const,
    registers: [registry],
  });
  const threads = new Gauge({
    name: 'ramp_ledger_thread_up',
    help: 'Whether a thread of the ledger works: 1, else 0; one that died is started again, one that answers nothing is waited for.',
    labelNames: ['thread'] as const,
    registers: [registry],
  });
  info.set({ version: build.version, node: build.node, event_store: build.eventStore }, 1);
  return (figures) => {
    setGauge(ready, figures.ready ? 1 : 0);
    setGauge(up, figures.eventStoreUp ? 1 : 0);
    setGauge(damaged, figures.eventStoreDamaged ? 1 : 0);
    setGauge(disk, figures.dataDiskFreeBytes);
    lines.reset();
    lines.inc(figures.logLinesLost);
    for (const [thread, works] of figures.threads) threads.set({ thread }, works ? 1 : 0);
  };
};
