import type { AppendKind } from './append-kind.ts';
import type { AppendStretch } from './append-stretch.ts';
import { mergeHistograms, quantileMs } from './latency-histogram.ts';
import { median, rounded, spreadOf, type Spread } from './spread.ts';

/** A stretch, and its rate by that of the baseline just before it; null for what has no ratio. */
export type MeasuredAppends = {
  readonly kind: AppendKind;
  readonly stretch: AppendStretch;
  readonly ratio: number | null;
};

/** One kind over all rounds; latencies of all its appends together. */
export type AppendSummary = {
  readonly kind: AppendKind;
  readonly ratio: Spread | null;
  readonly perSecond: Spread;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Medians, of the process that appends and of the server; null where the system shows none. */
  readonly cores: number | null;
  readonly serverCores: number | null;
  /** Of each stretch, in turn. */
  readonly rates: readonly number[];
};

const known = (values: readonly (number | null)[]): readonly number[] => values.filter((value) => value !== null);

const medianOf = (values: readonly (number | null)[]): number | null => {
  const all = known(values);
  return all.length === 0 ? null : rounded(median(all), 3);
};

/** The figures of one kind among what was measured. */
export const appendSummary = (kind: AppendKind, measured: readonly MeasuredAppends[]): AppendSummary => {
  const own = measured.filter((one) => one.kind === kind);
  const ratios = known(own.map(({ ratio }) => ratio));
  const latency = mergeHistograms(own.map(({ stretch }) => stretch.latency));
  const rates = own.map(({ stretch }) => rounded(stretch.perSecond, 1));
  return {
    kind,
    ratio: ratios.length === 0 ? null : spreadOf(ratios),
    perSecond: spreadOf(rates),
    p50Ms: rounded(quantileMs(latency, 0.5), 3),
    p99Ms: rounded(quantileMs(latency, 0.99), 3),
    maxMs: rounded(latency.maxMs, 3),
    cores: medianOf(own.map(({ stretch }) => stretch.cores)),
    serverCores: medianOf(own.map(({ stretch }) => stretch.serverCores)),
    rates,
  };
};
