import { Gauge, type Registry } from 'prom-client';
import { setGauge } from './set-gauge.ts';

/** What is signed of the log. */
export type LogFigures = {
  readonly historyLost: boolean;
  /** Events that the newest checkpoint includes; null where there is none. */
  readonly checkpointEvents: number | null;
  /** Witnesses that have cosigned it, and those that refuse to cosign since they saw another log. */
  readonly cosignatures: number | null;
  readonly witnessesRefusing: number;
  /** When it was signed, in seconds since 1970. */
  readonly checkpointSeconds: number | null;
};

/** Shows how far the log is signed. */
export const logMetrics = (registry: Registry): ((figures: LogFigures) => void) => {
  const gauge = (name: string, help: string): Gauge => new Gauge({ name, help, registers: [registry] });
  const lost = gauge(
    'ramp_ledger_history_lost',
    'Whether the log lacks a checkpoint that was signed: 1, and nothing more is signed; else 0.',
  );
  const events = gauge('ramp_ledger_checkpoint_events', 'Events that the newest checkpoint includes.');
  const seconds = gauge('ramp_ledger_checkpoint_timestamp_seconds', 'When the newest checkpoint was signed.');
  const cosignatures = gauge(
    'ramp_ledger_checkpoint_cosignatures',
    'Witnesses that have cosigned the newest checkpoint.',
  );
  const refusing = gauge(
    'ramp_ledger_witnesses_refusing',
    'Witnesses that refuse to cosign, since they saw another log.',
  );
  return ({ historyLost, checkpointEvents, checkpointSeconds, ...witnesses }) => {
    setGauge(lost, historyLost ? 1 : 0);
    setGauge(events, checkpointEvents);
    setGauge(seconds, checkpointSeconds);
    setGauge(cosignatures, witnesses.cosignatures);
    setGauge(refusing, witnesses.witnessesRefusing);
  };
};
