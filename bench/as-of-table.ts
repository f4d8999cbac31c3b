import { alignedColumns } from './aligned-columns.ts';
import type { AsOfResult } from './as-of.ts';
import { NONE, whole } from './number-text.ts';
import { storageWarning } from './temporary-storage.ts';

const ms = (value: number): string => value.toFixed(1);

const goal = (takenMs: number, goalMs: number | null): string =>
  goalMs === null ? NONE : `${takenMs > goalMs ? 'over ' : ''}${whole(goalMs)}`;

const HEADER = ['', 'report', 'beside', 'again', 'list', 'beside', 'again', 'goal, ms'];

/** The result as a person reads it on a terminal. */
export const asOfTable = ({
  orders,
  events,
  storage,
  now,
  startMs,
  plainPassMs,
  moments,
  meanwhileMs,
}: AsOfResult): string =>
  [
    `asof: ${whole(orders)} orders, ${whole(events)} events; a plain pass over the log takes ${whole(plainPassMs)} ms`,
    ...storageWarning(storage),
    '',
    ...alignedColumns([
      HEADER,
      ['of now', ms(now.reportMs), '', '', ms(now.listMs), '', '', NONE],
      ...moments.map(({ eventsSince, goalMs, report, list }) => [
        `${whole(eventsSince)} events back`,
        ms(report.firstMs),
        ms(report.besideMs),
        ms(report.againMs),
        ms(list.firstMs),
        ms(list.besideMs),
        ms(list.againMs),
        goal(Math.max(report.firstMs, list.firstMs), goalMs),
      ]),
    ]),
    '',
    `The first question about a moment, which starts their thread, takes ${ms(startMs)} ms.`,
    `Reports of now while the farthest moment is added up: ${ms(meanwhileMs.p50)} ms, ${ms(meanwhileMs.longest)} at the longest, ${whole(meanwhileMs.requests)} of them.`,
  ].join('\n');
