import { alignedColumns } from './aligned-columns.ts';
import { mib, whole } from './number-text.ts';
import type { RebuildResult, RebuildSummary } from './rebuild.ts';

type Row = readonly [label: string, cell: (ledger: RebuildSummary) => string];

const rowsFor = (goal: number): readonly Row[] => [
  ['rebuild, events/s', (ledger) => whole(ledger.eventsPerSecond)],
  ['plain pass, events/s', (ledger) => whole(ledger.baselineEventsPerSecond)],
  [`ratio, median of rounds (goal ${goal})`, (ledger) => ledger.ratio.median.toFixed(3)],
  ['ratio, min to max', ({ ratio }) => `${ratio.min.toFixed(3)} to ${ratio.max.toFixed(3)}`],
  ['rebuild, µs an event', (ledger) => ledger.microsecondsPerEvent.toFixed(1)],
  ['MiB resident before it', (ledger) => mib(ledger.rssBefore)],
  ['  at most during it', (ledger) => mib(ledger.peakRss)],
  ['MiB of the event store', (ledger) => mib(ledger.eventStoreBytes)],
  ['MiB of the read models', (ledger) => mib(ledger.readModelBytes)],
];

const linearity = ([first, ...others]: readonly RebuildSummary[]): readonly string[] =>
  first === undefined
    ? []
    : others.map((other) => {
        const times = other.microsecondsPerEvent / first.microsecondsPerEvent;
        return `An event of ${whole(other.events)} takes ${times.toFixed(2)} times as long as one of ${whole(first.events)}.`;
      });

/** The result as a person reads it on a terminal. */
export const rebuildTable = ({ baseline, goal, ledgers }: RebuildResult): string => {
  const header = ['', ...ledgers.map(({ events }) => `${whole(events)} events`)];
  const rows = rowsFor(goal).map(([label, cell]) => [label, ...ledgers.map(cell)]);
  return [
    `rebuild: all read models beside a ${baseline}, in the same process`,
    '',
    ...alignedColumns([header, ...rows]),
    ...linearity(ledgers),
  ].join('\n');
};
