import { apply, either as E } from 'fp-ts';
import type { AuditEntry } from '../../projections/audit-trail/index.ts';
import { parseBusinessDay, type Calendar } from '../domain/business-day.ts';
import { EVENT_TYPES } from '../domain/event-type.ts';
import { compareInstants, epochMsOf, instantOf, parseInstant, type Instant } from '../domain/instant.ts';
import type { Problem } from '../http/problem.ts';
import type { AuditFilter } from '../read-models/read-models.ts';
import { oneOf, optional, type Parameters, type Reader } from './parameters.ts';

/** The parameters that choose entries by what they are; exports take the same. */
export const AUDIT_FILTER_PARAMETERS = ['from', 'to', 'type'] as const;

const moment = (ofDay: (text: string) => Instant | null): Reader<Instant> => ({
  expected: 'a time as 2026-01-31T10:00:00Z or a day as 2026-01-31',
  read: (text) => ofDay(text) ?? parseInstant(text),
});

const firstMoment =
  ({ bounds }: Calendar) =>
  (text: string): Instant | null => {
    const day = parseBusinessDay(text);
    return day === null ? null : bounds(day).from;
  };

/** Receipts are taken to the millisecond, so that a day's last moment is the last of them before its end. */
const lastMoment =
  ({ bounds }: Calendar) =>
  (text: string): Instant | null => {
    const day = parseBusinessDay(text);
    return day === null ? null : instantOf(epochMsOf(bounds(day).until) - 1);
  };

/** Reads them: receipts from and to, both inclusive, a day standing for all of it. */
export const auditFilter = (parameters: Parameters, calendar: Calendar): E.Either<Problem, AuditFilter> =>
  apply.sequenceS(E.Apply)({
    type: optional<string>(parameters, 'type', oneOf(EVENT_TYPES)),
    from: optional(parameters, 'from', moment(firstMoment(calendar))),
    to: optional(parameters, 'to', moment(lastMoment(calendar))),
  });

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
