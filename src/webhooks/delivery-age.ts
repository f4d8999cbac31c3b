import { compareInstants, epochMsOf, isRealTime, parseInstant, type Instant } from '../domain/instant.ts';
import { isJsonObject, member, type JsonObject, type JsonValue } from '../domain/json.ts';

/** Statuses that an order has when it is new: then the time of creation is the time of the event. */
const FIRST_STATUSES: ReadonlySet<unknown> = new Set(['fiatPending', 'pending']);

const timeIn = (payload: JsonObject, field: string): Instant | null => {
  const value = member(payload, field);
  const time = typeof value === 'string' ? parseInstant(value) : null;
  return time !== null && isRealTime(time) ? time : null;
};

/**
 * The order's own newest timestamp, where it says how old the delivery is; null where nothing does: a payload without a
 * real `updated_at` is judged in its first status alone (docs/spec/receiving.md, Age).
 */
const newestTime = (payload: JsonObject): Instant | null => {
  const updatedAt = timeIn(payload, 'updated_at');
  if (updatedAt === null && !FIRST_STATUSES.has(member(payload, 'status'))) return null;
  const times = [updatedAt, timeIn(payload, 'createdAt'), timeIn(payload, 'created_at')];
  return (
    times
      .filter((time) => time !== null)
      .toSorted(compareInstants)
      .at(-1) ?? null
  );
};

/** Whether a payload's own time is further past than a number of seconds (docs/spec/receiving.md, Age). */
export const isTooOld = (payload: JsonValue, now: Instant, maxAgeSeconds: number): boolean => {
  const newest = isJsonObject(payload) ? newestTime(payload) : null;
  return newest !== null && epochMsOf(now) - epochMsOf(newest) > maxAgeSeconds * 1000;
};
