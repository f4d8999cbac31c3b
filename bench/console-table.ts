import { alignedColumns } from './aligned-columns.ts';
import type { ConsoleResult } from './console.ts';
import { NONE, whole } from './number-text.ts';
import { storageWarning } from './temporary-storage.ts';

const ms = (value: number | null): string => (value === null ? NONE : value.toFixed(1));

/** The result as a person reads it on a terminal. */
export const consoleTable = ({ orders, events, storage, goalMs, pages }: ConsoleResult): string => {
  const rows = pages.map(({ name, bytes, requests, p50Ms, p99Ms, longestMs }) => [
    name,
    whole(bytes),
    whole(requests),
    ms(p50Ms),
    ms(p99Ms),
    ms(longestMs),
    p99Ms !== null && p99Ms > goalMs ? 'over' : '',
  ]);
  return [
    `console: pages as the server sends them, ${whole(orders)} orders, ${whole(events)} events, one request after the other`,
    ...storageWarning(storage),
    '',
    ...alignedColumns([['', 'bytes', 'requests', 'p50 ms', 'p99 ms', 'longest', `goal ${goalMs} ms`], ...rows]),
  ].join('\n');
};
