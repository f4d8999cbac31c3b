import { Histogram, type Registry } from 'prom-client';
import { DURATION_BUCKETS } from './duration-buckets.ts';

/** What became of an append. */
const APPEND_RESULTS = ['appended', 'wrong-revision', 'refused', 'unavailable'] as const;

export type AppendResult = (typeof APPEND_RESULTS)[number];

/** Counts appends to the event store. */
export type AppendMetrics = {
  readonly append: (result: AppendResult, seconds: number) => void;
  /** A commit of the embedded store, which the appends that waited share. */
  readonly commit: (seconds: number) => void;
};

/** How long the event store takes. */
export const appendMetrics = (registry: Registry): AppendMetrics => {
  const appends = new Histogram({
    name: 'ramp_ledger_append_duration_seconds',
    help: 'Time of an append to the event store until it was durable, or was not, by result.',
    labelNames: ['result'] as const,
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  const commits = new Histogram({
    name: 'ramp_ledger_commit_duration_seconds',
    help: 'Time of a commit of the embedded event store, which appends that wait share; none with EventStoreDB.',
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  for (const result of APPEND_RESULTS) appends.zero({ result });
  return {
    append: (result, seconds) => appends.observe({ result }, seconds),
    commit: (seconds) => commits.observe(seconds),
  };
};
