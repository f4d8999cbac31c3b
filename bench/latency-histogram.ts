/**
 * Latencies counted in buckets that are one per cent wide, from a microsecond to minutes. Two thousand numbers are
 * enough for any number of requests, and histograms of several rounds can be added up.
 */
export type LatencyHistogram = {
  /** Requests by bucket. */
  readonly counts: readonly number[];
  /** The longest latency, exactly, in ms. */
  readonly maxMs: number;
};

const BUCKETS = 2_000;
const LEAST_MS = 0.001;
const LOG_WIDTH = Math.log(1.01);

const bucketOf = (ms: number): number =>
  ms <= LEAST_MS ? 0 : Math.min(BUCKETS - 1, Math.round(Math.log(ms / LEAST_MS) / LOG_WIDTH));

const middleMs = (bucket: number): number => LEAST_MS * Math.exp(bucket * LOG_WIDTH);

export type LatencyRecorder = {
  readonly record: (ms: number) => void;
  readonly histogram: () => LatencyHistogram;
};

export const createLatencyRecorder = (): LatencyRecorder => {
  const counts = Array.from({ length: BUCKETS }, () => 0);
  let maxMs = 0;
  return {
    record: (ms) => {
      const bucket = bucketOf(ms);
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      if (ms > maxMs) maxMs = ms;
    },
    histogram: () => ({ counts: counts.slice(), maxMs }),
  };
};

export const mergeHistograms = (histograms: readonly LatencyHistogram[]): LatencyHistogram => ({
  counts: Array.from({ length: BUCKETS }, (_, i) => histograms.reduce((sum, { counts }) => sum + (counts[i] ?? 0), 0)),
  maxMs: histograms.reduce((max, histogram) => Math.max(max, histogram.maxMs), 0),
});

/** The latency, in ms to within half a per cent, that a share (0 to 1) of the requests did not exceed; 0 for none. */
export const quantileMs = ({ counts, maxMs }: LatencyHistogram, share: number): number => {
  const wanted = share * counts.reduce((sum, n) => sum + n, 0);
  let seen = 0;
  for (const [bucket, n] of counts.entries()) {
    seen += n;
    if (n > 0 && seen >= wanted) return Math.min(maxMs, middleMs(bucket));
  }
  return maxMs;
};
