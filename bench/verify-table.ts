import { alignedColumns } from './aligned-columns.ts';
import { whole } from './number-text.ts';
import type { VerifyResult } from './verify.ts';

/** The result as a person reads it on a terminal. */
export const verifyTable = (result: VerifyResult): string => {
  const { baseline, events, ratio, goalSecondsPerMillion: goal, failed } = result;
  const rows = [
    ['', `${whole(events)} events`],
    ['verify, seconds', result.seconds.toFixed(1)],
    [`  for a million events (goal ${goal})`, result.secondsPerMillion.toFixed(1)],
    ['verify, events/s', whole(result.eventsPerSecond)],
    ['plain pass, events/s', whole(result.baselineEventsPerSecond)],
    ['ratio, median of rounds', ratio.median.toFixed(3)],
    ['ratio, min to max', `${ratio.min.toFixed(3)} to ${ratio.max.toFixed(3)}`],
    ['failures', whole(result.failures)],
  ];
  return [
    `verify: log and read models beside a ${baseline}`,
    '',
    ...alignedColumns(rows),
    ...failed.map((failure) => `  ${JSON.stringify(failure)}`),
  ].join('\n');
};
