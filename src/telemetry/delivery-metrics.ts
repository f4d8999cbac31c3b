import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { DURATION_BUCKETS } from './duration-buckets.ts';

/** Counts deliveries, and remembers when each secret was last used. */
export type DeliveryMetrics = {
  readonly accepted: (outcome: string, seconds: number) => void;
  readonly rejected: (code: string, seconds: number) => void;
  /** A delivery was signed with a secret; `atMs`: when, in ms since 1970. */
  readonly signedWith: (secretId: string, atMs: number) => void;
  /** When a delivery was last signed with a secret, in ms since 1970; null: not since the start. */
  readonly lastSignedMs: (secretId: string) => number | null;
  /** Names the secrets that are accepted now: the page shows only these. */
  readonly secrets: (ids: readonly string[]) => void;
};

/**
 * Deliveries by what became of them. Every value of a label is there from the start, at 0: where a series begins with
 * its first event, Prometheus' `rate` does not count that event.
 */
export const deliveryMetrics = (
  registry: Registry,
  outcomes: readonly string[],
  codes: readonly string[],
): DeliveryMetrics => {
  const accepted = new Counter({
    name: 'ramp_ledger_deliveries_total',
    help: 'Deliveries that were accepted, by outcome.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  const rejected = new Counter({
    name: 'ramp_ledger_deliveries_rejected_total',
    help: 'Deliveries that were not accepted, by the code of the answer.',
    labelNames: ['code'] as const,
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'ramp_ledger_delivery_duration_seconds',
    help: 'Time until the answer to a delivery was made.',
    labelNames: ['result'] as const,
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  const lastUsed = new Gauge({
    name: 'ramp_ledger_webhook_secret_last_used_timestamp_seconds',
    help: 'When a delivery was last signed with a secret, since the start; 0: not yet.',
    labelNames: ['secret'] as const,
    registers: [registry],
  });
  for (const outcome of outcomes) accepted.inc({ outcome }, 0);
  for (const code of codes) rejected.inc({ code }, 0);
  for (const result of ['accepted', 'rejected']) durations.zero({ result });
  const usedMs = new Map<string, number>();
  return {
    accepted: (outcome, seconds) => {
      accepted.inc({ outcome });
      durations.observe({ result: 'accepted' }, seconds);
    },
    rejected: (code, seconds) => {
      rejected.inc({ code });
      durations.observe({ result: 'rejected' }, seconds);
    },
    signedWith: (secretId, atMs) => {
      usedMs.set(secretId, atMs);
    },
    lastSignedMs: (secretId) => usedMs.get(secretId) ?? null,
    secrets: (ids) => {
      lastUsed.reset();
      for (const secret of ids) lastUsed.set({ secret }, (usedMs.get(secret) ?? 0) / 1_000);
    },
  };
};
