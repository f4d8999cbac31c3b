import { alignedColumns } from './aligned-columns.ts';
import { APPEND_KINDS } from './append-kind.ts';
import type { AppendSummary } from './append-summary.ts';
import type { EventStoreDbResult } from './eventstoredb.ts';
import { NONE, whole } from './number-text.ts';
import type { Spread } from './spread.ts';

const HEADER = ['appends/s', 'min to max', 'p50 ms', 'p99 ms', 'cores', "server's", 'ratio', 'min to max'] as const;

const ms = (value: number): string => (value < 1 ? value.toFixed(3) : value.toFixed(1));
const cores = (value: number | null): string => (value === null ? NONE : value.toFixed(2));
const cells = (spread: Spread, text: (value: number) => string): readonly string[] => [
  text(spread.median),
  `${text(spread.min)} to ${text(spread.max)}`,
];

const row = (summary: AppendSummary): readonly string[] => [
  APPEND_KINDS[summary.kind].title,
  ...cells(summary.perSecond, whole),
  ms(summary.p50Ms),
  ms(summary.p99Ms),
  cores(summary.cores),
  cores(summary.serverCores),
  ...(summary.ratio === null ? ['', ''] : cells(summary.ratio, (value) => value.toFixed(3))),
];

/** The result as a person reads it on a terminal. */
export const eventStoreDbTable = (result: EventStoreDbResult): string => {
  const { subject, baseline, goalRatio, server, dataBytes, metadataBytes, runs } = result;
  return [
    `eventstoredb: ${subject} beside the ${baseline}, on ${server === 'double' ? 'the protocol double' : 'a server'}`,
    `events of ${dataBytes} bytes of data and ${metadataBytes} of metadata; the goal is a ratio of ${goalRatio}`,
    ...runs.flatMap(({ inFlight, kinds }) => [
      '',
      ...alignedColumns([[`${inFlight} in flight`, ...HEADER], ...kinds.map(row)]),
    ]),
  ].join('\n');
};
