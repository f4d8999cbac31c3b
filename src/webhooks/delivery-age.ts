import { compareInstants, epochMsOf, isRealTime, parseInstant, type Instant } from '../domain/instant.ts';
import { isJsonObject, member, type JsonObject, type JsonValue } from '../domain/json.ts';

/** The first status of each flow. An order in it was just created, so its creation is the time of the event. */
const FIRST_STATUSES: ReadonlySet<unknown> = new Set(['fiatPending', 'pending']);

const timeIn = (payload: JsonObject, field: string): Instant | null => {
  const value = member(payload, field);
  const time = typeof value === 'string' ? parseInstant(value) : null;
  return time !== null && isRealTime(time) ? time : null;
};

/**
 * The order's own newest time, if it tells how old the delivery is; else null. Without a real `updated_at` only a
 * delivery of the order's first status tells it (docs/spec/receiving.md, Age).
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
