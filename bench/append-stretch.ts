import { createLatencyRecorder, type LatencyHistogram } from './latency-histogram.ts';
import { cpuTimeOf, cpuUse } from './process-figures.ts';

/** Appends of one kind, each made ready before the clock starts. */
export type Appends = {
  /**
   * Makes ready what stands at so many places of the run, in place of what was.
   *
   * @param from the first place that was not appended yet
   */
  readonly prepare: (from: number, count: number) => void;
  /**
   * Does what was prepared under an index from 0.
   *
   * @throws Error where the answer is any but the expected one: a rate over refusals says nothing
   */
  readonly append: (index: number) => Promise<void>;
  /** Whether the index may go on beyond what was prepared, since it makes no difference to append the same again. */
  readonly repeats: boolean;
};

export type StretchLimits = {
  /** Appends that are under way at any moment. */
  readonly inFlight: number;
  /** The longest to go on. */
  readonly seconds: number;
  /** The most to append. */
  readonly most: number;
};

/** The process that appends, and the server, null where it is on another machine. */
export type Watched = { readonly own: number; readonly server: number | null };

export type AppendStretch = {
  readonly appends: number;
  readonly perSecond: number;
  readonly latency: LatencyHistogram;
  /** Cores that were kept busy; null where the system shows none. */
  readonly cores: number | null;
  readonly serverCores: number | null;
};

type Load = Pick<AppendStretch, 'appends' | 'latency'> & { readonly seconds: number };

/** Runs a load, and looks how busy both processes are with it. */
export const watchedStretch = async ({ own, server }: Watched, load: () => Promise<Load>): Promise<AppendStretch> => {
  const readings = () => ({
    at: performance.now(),
    own: cpuTimeOf(own),
    server: server === null ? null : cpuTimeOf(server),
  });
  const before = readings();
  const { appends, seconds, latency } = await load();
  const after = readings();
  const elapsed = (after.at - before.at) / 1000;
  return {
    appends,
    perSecond: appends / seconds,
    latency,
    cores: cpuUse(before.own, after.own, elapsed)?.cores ?? null,
    serverCores: cpuUse(before.server, after.server, elapsed)?.cores ?? null,
  };
};

/** Appends from this process as fast as answers come, from the first one sent to the last one answered. */
export const appendLoad =
  ({ append }: Appends, { inFlight, seconds, most }: StretchLimits) =>
  async (): Promise<Load> => {
    const recorder = createLatencyRecorder();
    const start = performance.now();
    const deadline = start + seconds * 1000;
    let next = 0;
    let answeredAt = start;
    const lane = async (): Promise<void> => {
      while (next < most && answeredAt < deadline) {
        const index = next;
        next += 1;
        const sentAt = performance.now();
        await append(index);
        answeredAt = performance.now();
        recorder.record(answeredAt - sentAt);
      }
    };
    await Promise.all(Array.from({ length: inFlight }, lane));
    return { appends: next, seconds: (answeredAt - start) / 1000, latency: recorder.histogram() };
  };
