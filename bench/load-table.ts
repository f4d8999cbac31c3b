import { alignedColumns } from './aligned-columns.ts';
import type { LoadResult } from './load.ts';
import { mib, NONE, whole } from './number-text.ts';
import { storageWarning } from './temporary-storage.ts';

const ms = (value: number | null): string => (value === null ? NONE : value.toFixed(1));

const HEADER = ['', 'at s', 'accepted/s', 'p99 ms', 'MiB'];

/** The result as a person reads it on a terminal. */
export const loadTable = (result: LoadResult): string => {
  const { deliveries, lag, cores, tenths } = result;
  const answers = Object.entries(deliveries.answers).map(([status, count]) => `${whole(count)} × ${status}`);
  return [
    `load: ${whole(result.orders)} orders on every path, ${whole(deliveries.accepted)} deliveries in ${result.seconds.toFixed(1)} s`,
    `${whole(result.acceptedPerSecond)} of ${whole(result.wantedPerSecond)} accepted/s (${result.ratio.toFixed(3)}); answers, warm-up included: ${answers.join(', ')}`,
    `Deliveries ${ms(deliveries.p50Ms)} ms p50, ${ms(deliveries.p99Ms)} p99, ${ms(deliveries.longestMs)} longest`,
    `Projections behind ${ms(lag.p50Ms)} ms p50, ${ms(lag.p99Ms)} p99, ${ms(lag.longestMs)} longest; ${lag.tooLong} of ${whole(lag.requests)} lists too late`,
    `The ledger: ${cores === null ? NONE : cores.toFixed(2)} cores busy`,
    ...storageWarning(result.storage),
    '',
    ...alignedColumns([
      HEADER,
      ['start', '', '', '', mib(result.startRss)],
      ...tenths.map(({ atSeconds, acceptedPerSecond, p99Ms, rss }, i) => [
        `tenth ${i + 1}`,
        atSeconds.toFixed(1),
        whole(acceptedPerSecond),
        ms(p99Ms),
        mib(rss),
      ]),
      ['end', '', '', '', mib(result.endRss)],
    ]),
    '',
    'The reports are what the sandbox knows that it sent, to the last digit.',
  ].join('\n');
};
