import { setTimeout as wait } from 'node:timers/promises';
import { createLatencyRecorder } from './latency-histogram.ts';
import type { LoadMeter } from './load-meter.ts';
import type { ProjectionLag } from './projection-lag.ts';
import type { QueryClient } from './query-client.ts';
import { LIST, withQuery } from './query-kind.ts';
import { latenciesOf } from './query-stretch.ts';

const EVERY_MS = 200;
/** `behind` */
const NOT_YET = 503;

/**
 * Takes what was answered last every 200 ms, and measures from its answer how long it takes until a list includes its
 * position. It delivers nothing of its own, so that the reports are of the load alone.
 */
export const measureLoadLag = async (
  client: QueryClient,
  meter: LoadMeter,
  isOver: () => boolean,
): Promise<ProjectionLag> => {
  const recorder = createLatencyRecorder();
  let tooLong = 0;
  let last = meter.latest();
  while (!isOver()) {
    await wait(EVERY_MS);
    const latest = meter.latest();
    if (latest === null || latest === last) continue;
    last = latest;
    const path = withQuery(LIST, { limit: '1', position: latest.position });
    const { status } = await client.get(path, false, NOT_YET);
    recorder.record(performance.now() - latest.atMs);
    if (status === NOT_YET) tooLong += 1;
  }
  return { ...latenciesOf(recorder), tooLong };
};
