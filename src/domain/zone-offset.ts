const LONG_OFFSET = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/;

/** How far a zone's local time is ahead of UTC at a moment, in milliseconds; both in milliseconds since the Unix epoch. */
export type ZoneOffset = (epochMs: number) => number;

/** The offsets of a zone that the configuration has found to be one: Intl refuses any other. */
export const zoneOffset = (timeZone: string): ZoneOffset => {
  if (timeZone === 'UTC') return () => 0;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (epochMs) => {
    const [, sign, hours = '0', minutes = '0', seconds = '0'] = LONG_OFFSET.exec(format.format(epochMs)) ?? [];
    const away = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
    return sign === '-' ? -away : away;
  };
};

/** A stretch of time, `from` inclusive and `until` exclusive, in which a zone keeps one offset. */
export type OffsetPeriod = { readonly from: number; readonly until: number; readonly offset: number };

const HOUR = 3_600_000;

/** The first moment after `before` that no longer has its offset, where `after` has another. */
const change = (offsetAt: ZoneOffset, before: number, after: number): number => {
  const offset = offsetAt(before);
  let [same, other] = [before, after];
  while (other - same > 1) {
    const middle = Math.floor((same + other) / 2);
    if (offsetAt(middle) === offset) same = middle;
    else other = middle;
  }
  return other;
};

/** The offsets between two moments. No zone has ever changed its clocks twice in an hour. */
export const offsetPeriods = (offsetAt: ZoneOffset, from: number, until: number): readonly OffsetPeriod[] => {
  const periods: OffsetPeriod[] = [];
  let start = from;
  for (let at = from; at < until; at += HOUR) {
    const next = Math.min(at + HOUR, until);
    if (offsetAt(next) === offsetAt(at)) continue;
    const end = change(offsetAt, at, next);
    periods.push({ from: start, until: end, offset: offsetAt(start) });
    start = end;
  }
  return [...periods, { from: start, until, offset: offsetAt(start) }];
};
