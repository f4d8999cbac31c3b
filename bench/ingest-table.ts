import { alignedColumns } from './aligned-columns.ts';
import { INGEST_RULES } from './ingest-mode.ts';
import type { IngestSummary } from './ingest-summary.ts';
import type { IngestResult } from './ingest.ts';
import { mib, NONE, whole } from './number-text.ts';
import { storageWarning } from './temporary-storage.ts';

type Row = readonly [label: string, cell: (mode: IngestSummary) => string];

const ms = (value: number): string => value.toFixed(1);
const cores = (value: number | null): string => (value === null ? NONE : value.toFixed(2));

const rowsFor = (subject: string, baseline: string): readonly Row[] => [
  [`${subject}, deliveries/s`, (mode) => whole(mode.subject.perSecond)],
  [`${baseline}, deliveries/s`, (mode) => whole(mode.baseline.perSecond)],
  ['ratio, median of rounds', (mode) => mode.ratio.median.toFixed(3)],
  ['ratio, min to max', (mode) => `${mode.ratio.min.toFixed(3)} to ${mode.ratio.max.toFixed(3)}`],
  [`${subject}, p50 ms`, (mode) => ms(mode.subject.p50Ms)],
  [`${subject}, p99 ms`, (mode) => ms(mode.subject.p99Ms)],
  [`${subject}, longest ms`, (mode) => ms(mode.subject.maxMs)],
  [`${baseline}, p50 ms`, (mode) => ms(mode.baseline.p50Ms)],
  [`${baseline}, p99 ms`, (mode) => ms(mode.baseline.p99Ms)],
  [`${baseline}, longest ms`, (mode) => ms(mode.baseline.maxMs)],
  [`${subject}, cores busy`, (mode) => cores(mode.subject.cores)],
  ['  its busiest thread', (mode) => cores(mode.subject.busiestThreadCores)],
  ['  load generator beside it', (mode) => cores(mode.subject.loadGeneratorCores)],
  ['  when not under load', (mode) => cores(mode.subject.idleCores)],
  [`${baseline}, cores busy`, (mode) => cores(mode.baseline.cores)],
  ['  load generator beside it', (mode) => cores(mode.baseline.loadGeneratorCores)],
  [`${subject}, MiB at start`, (mode) => mib(mode.memory[0]?.rss)],
  ['  after the warm-up', (mode) => mib(mode.memory[1]?.rss)],
  ['  at the end', (mode) => mib(mode.memory.at(-1)?.rss)],
  ['  at most', (mode) => mib(mode.peakRss)],
];

/** Enough lines to see a slope. */
const MEMORY_LINES = 12;

const memoryLines = (mode: IngestSummary): readonly string[] => {
  const every = Math.ceil((mode.memory.length - 1) / MEMORY_LINES);
  const shown = mode.memory.filter((_, i) => i % every === 0 || i === mode.memory.length - 1);
  const cells = shown.map(({ deliveries, rss }) => [`  ${whole(deliveries)}`, mib(rss)]);
  return ['', ...alignedColumns([[`${INGEST_RULES[mode.orders].title}, after deliveries`, 'MiB'], ...cells])];
};

/** The result as a person reads it on a terminal; with `withMemory` a list of memory by deliveries follows. */
export const ingestTable = (result: IngestResult, withMemory: boolean): string => {
  const header = ['', ...result.modes.map(({ orders }) => INGEST_RULES[orders].title)];
  const rows = rowsFor(result.subject, result.baseline).map(([label, cell]) => [label, ...result.modes.map(cell)]);
  const bodies = result.modes.map(({ bodyBytes }) => bodyBytes);
  const size = Math.round(bodies.reduce((sum, bytes) => sum + bytes, 0) / bodies.length);
  return [
    `ingest: ${result.subject} beside ${result.baseline}, ${result.connections} connections, bodies of ${size} bytes`,
    ...storageWarning(result.storage),
    '',
    ...alignedColumns([header, ...rows]),
    ...(withMemory ? result.modes.filter(({ memory }) => memory.length > 1).flatMap(memoryLines) : []),
  ].join('\n');
};
