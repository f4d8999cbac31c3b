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
  ['  at the end', (mode) => mib(mode.rounds.at(-1)?.rss)],
  ['  at most', (mode) => mib(mode.peakRss)],
];

const kb = (bytes: number | undefined): string => (bytes === undefined ? NONE : (bytes / 1_000).toFixed(1));

const micros = (value: number | undefined): string => (value === undefined ? NONE : value.toFixed(1));

/** What a delivery took: of all rounds, by thread. */
const rowsByThread = (
  label: string,
  of: readonly IngestSummary['written'][],
  shown: (value: number | undefined) => string,
): readonly (readonly string[])[] => {
  const threads = [...new Set(of.flatMap(({ byThread }) => Object.keys(byThread)))].toSorted();
  return [
    [label, ...of.map(({ all }) => shown(all))],
    ...threads.map((thread) => [`  ${thread}`, ...of.map(({ byThread }) => shown(byThread[thread]))]),
  ];
};

const usedRows = (modes: readonly IngestSummary[]): readonly (readonly string[])[] => [
  ...rowsByThread(
    'KB written for a delivery',
    modes.map(({ written }) => written),
    kb,
  ),
  ...rowsByThread(
    'µs of processor time for a delivery, projecting it included',
    modes.map(({ processor }) => processor),
    micros,
  ),
];

/** Round by round, what changes as a ledger grows. */
const roundLines = ({ orders, rounds, written }: IngestSummary): readonly string[] => {
  const threads = Object.keys(written.byThread).toSorted();
  const header = ['after deliveries', 'ratio', 'deliveries/s', 'p99 ms', 'MiB', 'KB written', ...threads];
  const lines = rounds.map((round) => [
    whole(round.deliveries),
    round.ratio.toFixed(3),
    whole(round.subjectPerSecond),
    ms(round.p99Ms),
    mib(round.rss),
    kb(round.written.all),
    ...threads.map((thread) => kb(round.written.byThread[thread])),
  ]);
  return ['', INGEST_RULES[orders].title, ...alignedColumns([header, ...lines])];
};

/** The result as a person reads it on a terminal; with `byRound` the figures of each round follow. */
export const ingestTable = (result: IngestResult, byRound: boolean): string => {
  const header = ['', ...result.modes.map(({ orders }) => INGEST_RULES[orders].title)];
  const rows = rowsFor(result.subject, result.baseline).map(([label, cell]) => [label, ...result.modes.map(cell)]);
  const bodies = result.modes.map(({ bodyBytes }) => bodyBytes);
  const size = Math.round(bodies.reduce((sum, bytes) => sum + bytes, 0) / bodies.length);
  return [
    `ingest: ${result.subject} beside ${result.baseline}, ${result.connections} connections, bodies of ${size} bytes`,
    ...storageWarning(result.storage),
    '',
    ...alignedColumns([header, ...rows, ...usedRows(result.modes)]),
    ...(byRound ? result.modes.flatMap(roundLines) : []),
  ].join('\n');
};
