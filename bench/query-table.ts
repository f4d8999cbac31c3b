import { alignedColumns } from './aligned-columns.ts';
import { mib, NONE, whole } from './number-text.ts';
import type { Latencies } from './query-stretch.ts';
import type { QueryResult } from './query.ts';
import { storageWarning } from './temporary-storage.ts';

const ms = (value: number | null): string => (value === null ? NONE : value.toFixed(1));

const cells = ({ requests, p50Ms, p99Ms, longestMs }: Latencies): readonly string[] => [
  whole(requests),
  ms(p50Ms),
  ms(p99Ms),
  ms(longestMs),
];

/** Marks what is beyond its goal. */
const goalCell = ({ p99Ms }: Latencies, goalMs: number): string =>
  `${p99Ms !== null && p99Ms > goalMs ? 'over ' : ''}${goalMs}`;

const busy = (cores: number | null): string => (cores === null ? NONE : cores.toFixed(2));

/** Threads that had as much as a hundredth of a core, the busiest first. */
const threads = (byThread: QueryResult['cores']['byThread']): string =>
  Object.entries(byThread)
    .filter(([, cores]) => cores >= 0.01)
    .toSorted(([, a], [, b]) => b - a)
    .map(([thread, cores]) => `${thread} ${cores.toFixed(2)}`)
    .join(', ');

/** Of fewer answers than these the 99th percentile is the longest. */
const ENOUGH = 100;

const HEADER = ['', 'rows', 'requests', 'p50 ms', 'p99 ms', 'longest', 'goal, p99'];

/** The result as a person reads it on a terminal. */
export const queryTable = (result: QueryResult): string => {
  const { lag, deliveries, cores } = result;
  const kinds = result.kinds.map((kind) => [kind.name, whole(kind.rows), ...cells(kind), goalCell(kind, kind.goalMs)]);
  const lagRow = ['projection lag', '', ...cells(lag), goalCell(lag, lag.goalMs)];
  const fewest = Math.min(...result.kinds.map(({ requests }) => requests));
  const met = result.kinds.filter(({ p99Ms, goalMs }) => p99Ms !== null && p99Ms <= goalMs).length;
  return [
    `query: ${whole(result.orders)} orders, ${whole(result.events)} events, ${result.connections} questions at a time,`,
    `${whole(deliveries.perSecond)} of ${whole(deliveries.wantedPerSecond)} deliveries/s at ${ms(deliveries.p50Ms)} ms p50, ${ms(deliveries.p99Ms)} p99, ${ms(deliveries.longestMs)} longest`,
    `The ledger: ${busy(cores.ledger)} cores busy, ${mib(result.peakRss)} MiB at most; read models built in ${result.buildSeconds.toFixed(1)} s`,
    `by thread: ${threads(cores.byThread)}`,
    `and beside it: generator of deliveries ${busy(cores.generator)} cores, asker ${busy(cores.asker)}`,
    ...storageWarning(result.storage),
    '',
    ...alignedColumns([HEADER, ...kinds, lagRow]),
    '',
    `${met} of ${result.kinds.length} kinds within their goals.`,
    ...(fewest < ENOUGH
      ? [`Some were asked ${fewest} times only: their p99 is the longest. More --seconds say more.`]
      : []),
    ...(lag.tooLong === 0 ? [] : [`${lag.tooLong} lists did not come to include their position in time.`]),
  ].join('\n');
};
