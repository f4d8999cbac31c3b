import type { Registry } from 'prom-client';
import { DurationHistogram, type DurationSeries } from './duration-histogram.ts';

/** What became of an append. */
export type AppendResult = 'appended' | 'wrong-revision' | 'refused' | 'unavailable';

/** Counts appends to the event store. */
export type AppendMetrics = {
  readonly append: (result: AppendResult, seconds: number) => void;
  /** A commit of the embedded store, which the appends that waited share. */
  readonly commit: (seconds: number) => void;
};

/** How long the event store takes. */
export const appendMetrics = (registry: Registry): AppendMetrics => {
  const appends = new DurationHistogram(
    registry,
    'ramp_ledger_append_duration_seconds',
    'Time of an append to the event store until it was durable, or was not, by result.',
  );
  const commits = new DurationHistogram(
    registry,
    'ramp_ledger_commit_duration_seconds',
    'Time of a commit of the embedded event store, which appends that wait share; none with EventStoreDB.',
  );
  const byResult: Readonly<Record<AppendResult, DurationSeries>> = {
    appended: appends.begin({ result: 'appended' }),
    'wrong-revision': appends.begin({ result: 'wrong-revision' }),
    refused: appends.begin({ result: 'refused' }),
    unavailable: appends.begin({ result: 'unavailable' }),
  };
  const commit = commits.begin();
  return {
    append: (result, seconds) => byResult[result].observe(seconds),
    commit: (seconds) => commit.observe(seconds),
  };
};
