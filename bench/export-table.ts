import { alignedColumns } from './aligned-columns.ts';
import type { ExportResult, ExportSummary } from './export.ts';
import { mib, whole } from './number-text.ts';

const growth = ({ firstHalfRss, secondHalfRss }: ExportSummary): string =>
  firstHalfRss === null || secondHalfRss === null ? '–' : mib(Math.max(0, secondHalfRss - firstHalfRss));

/** The result as a person reads it on a terminal. */
export const exportTable = ({ orders, events, goalBytes, idleP99Ms, exports }: ExportResult): string => {
  const header = [
    '',
    'rows',
    'MiB',
    'rows/s',
    'RSS before',
    '1st half',
    '2nd half',
    'growth',
    '/livez p99 ms',
    'longest',
  ];
  const lines = exports.map((one) => [
    one.name,
    whole(one.rows),
    mib(one.bytes),
    whole(one.rowsPerSecond),
    mib(one.rssBefore),
    mib(one.firstHalfRss),
    mib(one.secondHalfRss),
    growth(one),
    one.livezP99Ms.toFixed(1),
    one.livezLongestMs.toFixed(1),
  ]);
  return [
    `export: downloads of ${whole(orders)} orders, ${whole(events)} events; RSS in MiB, growth from the first half of a download to the second (goal ${mib(goalBytes)})`,
    '',
    ...alignedColumns([header, ...lines]),
    `/livez of the idle ledger: p99 ${idleP99Ms.toFixed(1)} ms`,
  ].join('\n');
};
