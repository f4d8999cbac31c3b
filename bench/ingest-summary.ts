import type { IngestMode } from './ingest-mode.ts';
import type { Stretch } from './ingest-stretch.ts';
import { mergeHistograms, quantileMs } from './latency-histogram.ts';
import type { ByThread } from './process-figures.ts';
import { median, rounded, spreadOf, type Spread } from './spread.ts';

/** One pair of stretches, the baseline first. */
export type Round = {
  readonly baseline: Stretch;
  readonly subject: Stretch;
  /** What the subject's deliveries made it write, by thread. */
  readonly written: ByThread;
  /** The µs of processor time that they took, the read models' part included, by thread. */
  readonly processor: ByThread;
  /** Deliveries to the subject since its start, those of the warm-up included. */
  readonly delivered: number;
  /** Resident memory of the subject after it, in bytes; null where the system shows none. */
  readonly rss: number | null;
};

/** What one delivery takes: bytes written to disks, or µs of processor time. */
type PerDelivery = { readonly all: number; readonly byThread: Readonly<Record<string, number>> };

/** Resident memory after so many deliveries since the start, in bytes. */
export type MemorySample = { readonly deliveries: number; readonly rss: number };

/** One server over all rounds: median rate, latencies of all requests, mean CPU use (in cores; null where unknown). */
type SideSummary = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly cores: number | null;
  readonly busiestThreadCores: number | null;
  readonly loadGeneratorCores: number | null;
  /** What it used while the other server was measured. */
  readonly idleCores: number | null;
};

export type IngestSummary = {
  readonly orders: IngestMode;
  readonly bodyBytes: number;
  /** Subject by baseline, of each round's two stretches. */
  readonly ratio: Spread;
  readonly subject: SideSummary;
  readonly baseline: SideSummary;
  readonly rounds: readonly {
    readonly ratio: number;
    readonly subjectPerSecond: number;
    readonly baselinePerSecond: number;
    readonly p99Ms: number;
    readonly deliveries: number;
    readonly rss: number | null;
    readonly written: PerDelivery;
    readonly processor: PerDelivery;
  }[];
  /** Of all rounds. */
  readonly written: PerDelivery;
  readonly processor: PerDelivery;
  /** Of the subject, from its start to its end; empty where the system shows none. */
  readonly memory: readonly MemorySample[];
  readonly peakRss: number | null;
};

const mean = (values: readonly (number | undefined)[]): number | null => {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? null : rounded(known.reduce((sum, value) => sum + value, 0) / known.length, 3);
};

const sideSummary = (own: readonly Stretch[], others: readonly Stretch[]): SideSummary => {
  const latency = mergeHistograms(own.map((stretch) => stretch.latency));
  return {
    perSecond: rounded(median(own.map((stretch) => stretch.perSecond)), 1),
    p50Ms: rounded(quantileMs(latency, 0.5), 3),
    p99Ms: rounded(quantileMs(latency, 0.99), 3),
    maxMs: rounded(latency.maxMs, 3),
    cores: mean(own.map(({ cpu }) => cpu.server?.cores)),
    busiestThreadCores: mean(own.map(({ cpu }) => cpu.server?.busiestThread)),
    loadGeneratorCores: mean(own.map(({ cpu }) => cpu.generator?.cores)),
    idleCores: mean(others.map(({ cpu }) => cpu.other?.cores)),
  };
};

/** Subject by baseline in one round: both ran within seconds of each other, so the machine's own speed cancels out. */
export const ratioOf = ({ baseline, subject }: Round): number => subject.perSecond / baseline.perSecond;

const perDelivery = (rounds: readonly Round[], used: (round: Round) => ByThread, digits = 0): PerDelivery => {
  const deliveries = rounds.reduce((sum, { subject }) => sum + subject.deliveries, 0);
  const byThread = new Map<string, number>();
  for (const round of rounds) {
    for (const [thread, value] of used(round)) byThread.set(thread, (byThread.get(thread) ?? 0) + value);
  }
  const all = [...byThread.values()].reduce((sum, value) => sum + value, 0);
  const each: Record<string, number> = {};
  for (const [thread, value] of byThread) each[thread] = rounded(value / deliveries, digits);
  return { all: rounded(all / deliveries, digits), byThread: each };
};

const written = (rounds: readonly Round[]): PerDelivery => perDelivery(rounds, (round) => round.written);
const processor = (rounds: readonly Round[]): PerDelivery => perDelivery(rounds, (round) => round.processor, 1);

export const summarise = (
  orders: IngestMode,
  bodyBytes: number,
  rounds: readonly Round[],
  memory: readonly MemorySample[],
  peakRss: number | null,
): IngestSummary => {
  const ratios = rounds.map(ratioOf);
  const [subjects, baselines] = [rounds.map((round) => round.subject), rounds.map((round) => round.baseline)];
  return {
    orders,
    bodyBytes: Math.round(bodyBytes),
    ratio: spreadOf(ratios),
    subject: sideSummary(subjects, baselines),
    baseline: sideSummary(baselines, subjects),
    rounds: rounds.map((round) => ({
      ratio: rounded(ratioOf(round), 4),
      subjectPerSecond: rounded(round.subject.perSecond, 1),
      baselinePerSecond: rounded(round.baseline.perSecond, 1),
      p99Ms: rounded(quantileMs(round.subject.latency, 0.99), 3),
      deliveries: round.delivered,
      rss: round.rss,
      written: written([round]),
      processor: processor([round]),
    })),
    written: written(rounds),
    processor: processor(rounds),
    memory,
    peakRss,
  };
};
