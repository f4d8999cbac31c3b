import type { AuditEntry } from '../../../projections/audit-trail/index.ts';
import { parseBusinessDay, type BusinessDay, type Calendar } from '../../domain/business-day.ts';
import { EVENT_TYPES } from '../../domain/event-type.ts';
import { compareInstants, epochMsOf, instantOf, parseInstant, type Instant } from '../../domain/instant.ts';
import type { AuditFilter } from '../../read-models/read-models.ts';
import { anyText, oneOf, parameter, type Query, type Reader } from '../parameters/parameters.ts';

/** A moment, or a day that stands for all of it. */
type DayOrMoment = { readonly day: BusinessDay } | { readonly moment: Instant };

const dayOrMoment: Reader<DayOrMoment> = {
  expected: 'a time as 2026-01-31T10:00:00Z or a day as 2026-01-31',
  schema: { type: 'string', anyOf: [{ format: 'date-time' }, { format: 'date' }] },
  read: (text) => {
    const day = parseBusinessDay(text);
    if (day !== null) return { day };
    const moment = parseInstant(text);
    return moment === null ? null : { moment };
  },
};

const HOUR = 3_600_000;

/** Since when a day, or a moment, may have begun in some time zone, and from when on it is over in all of them. */
const widest = (text: string): readonly [number, number] => {
  const at = dayOrMoment.read(text);
  if (at === null) return [0, 0];
  if ('moment' in at) return [epochMsOf(at.moment), epochMsOf(at.moment)];
  const midnight = Date.parse(at.day);
  return [midnight - 14 * HOUR, midnight + 36 * HOUR];
};

/** Two days are compared as days; a day and a moment only as far as it is the same in every zone. */
const isBefore = (to: string, from: string): boolean => {
  const [toDay, fromDay] = [parseBusinessDay(to), parseBusinessDay(from)];
  if (toDay !== null && fromDay !== null) return toDay < fromDay;
  return widest(to)[1] < widest(from)[0];
};

/** The parameters that choose entries by what they are; exports take the same. */
export const AUDIT_FILTER_PARAMETERS = {
  from: parameter('Received from this moment, or business day, on.', dayOrMoment),
  to: parameter('Received up to this moment, or business day, inclusive.', {
    ...dayOrMoment,
    ends: { from: 'from', isBefore },
  }),
  type: parameter<string>('Events of this type.', oneOf(EVENT_TYPES)),
} as const;

/** `q` of the trail; exports of it take the same. */
export const AUDIT_TERM = parameter('Order id, event id, utr, body digest or request id, exactly.', anyText);

/** `verify` of the trail; its export takes the same. */
export const AUDIT_VERIFY = parameter(
  '`true`: signature and digest of each event are computed anew.',
  oneOf(['true', 'false']),
);

/** The filter that they make. Both ends are inclusive; times of receipt have milliseconds, so a day ends with its last one. */
export const auditFilter = (
  { from, to, type }: Query<typeof AUDIT_FILTER_PARAMETERS>,
  calendar: Calendar,
): AuditFilter => {
  const first = (of: DayOrMoment): Instant => ('day' in of ? calendar.bounds(of.day).from : of.moment);
  const last = (of: DayOrMoment): Instant =>
    'day' in of ? instantOf(epochMsOf(calendar.bounds(of.day).until) - 1) : of.moment;
  return { type, from: from === null ? null : first(from), to: to === null ? null : last(to) };
};

/** Whether an entry is one of a filter; of a damaged event it is not known when it was received. */
export const isIn = (filter: AuditFilter, { type, receivedAt }: AuditEntry): boolean => {
  if (filter.type !== null && type !== filter.type) return false;
  if (filter.from === null && filter.to === null) return true;
  if (receivedAt === null) return false;
  return (
    (filter.from === null || compareInstants(receivedAt, filter.from) >= 0) &&
    (filter.to === null || compareInstants(receivedAt, filter.to) <= 0)
  );
};
