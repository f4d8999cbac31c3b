import { createLatencyRecorder, quantileMs, type LatencyRecorder } from './latency-histogram.ts';
import type { QueryClient } from './query-client.ts';
import type { QueryKind } from './query-kind.ts';
import { rounded } from './spread.ts';

/** Latencies in ms; null where there were no requests. */
export type Latencies = {
  readonly requests: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly longestMs: number | null;
};

export const latenciesOf = (recorder: LatencyRecorder): Latencies => {
  const histogram = recorder.histogram();
  const requests = histogram.counts.reduce((sum, n) => sum + n, 0);
  const figure = (ms: number): number | null => (requests === 0 ? null : rounded(ms, 3));
  return {
    requests,
    p50Ms: figure(quantileMs(histogram, 0.5)),
    p99Ms: figure(quantileMs(histogram, 0.99)),
    longestMs: figure(histogram.maxMs),
  };
};

/**
 * Asks every kind in turns, on each connection one question after the other, for so many seconds. Answers the latencies
 * in the order of the kinds.
 *
 * @throws Error on any reply but 200
 */
export const measureQueries = async (
  clients: readonly QueryClient[],
  kinds: readonly QueryKind[],
  seconds: number,
): Promise<readonly Latencies[]> => {
  const recorders = kinds.map((kind) => ({ kind, recorder: createLatencyRecorder(), asked: 0 }));
  const deadline = performance.now() + seconds * 1000;
  const askInTurns = async (client: QueryClient, first: number): Promise<void> => {
    for (let turn = first; performance.now() < deadline; turn += 1) {
      const measured = recorders[turn % recorders.length];
      if (measured === undefined) return;
      const { kind, recorder } = measured;
      const path = kind.path(measured.asked);
      measured.asked += 1;
      recorder.record((await client.get(path, kind.personal)).ms);
    }
  };
  // Connections are apart from each other in the round, so that they don't ask the same at the same time.
  const apart = Math.floor(kinds.length / clients.length);
  await Promise.all(clients.map((client, i) => askInTurns(client, i * apart)));
  return recorders.map(({ recorder }) => latenciesOf(recorder));
};
