import { setImmediate as nextTurn } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { epochMsOf, type Instant } from '../domain/instant.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { EventStore } from '../event-store/event-store.ts';
import type { Awaited } from './awaited.ts';

/** How projections share a machine with the deliveries. */
export type Pace = {
  /** The shortest time between the beginnings of two batches, in ms, while few events come. */
  readonly everyMs: number;
  /** The same while many events come: the more gather, the less is written for each. */
  readonly manyEveryMs: number;
  /** The share of the time in which projections work while many events come: above 0, at most 1. */
  readonly share: number;
  /** The same in a burst, where more come than a small machine can receive and project at once. */
  readonly burstShare: number;
  /** How many events a batch of the store has where others wait behind it: no time is spent on letting more gather then. */
  readonly full: number;
  /** The age of an event, in ms, from which on projections no longer rest. */
  readonly patienceMs: number;
  /** The same where a whole batch waits that came at a rate which a small machine can receive and project at once. */
  readonly steadyPatienceMs: number;
  readonly now: () => Instant;
  /** Whether events are being appended; true where nobody can tell. */
  readonly areComing: () => boolean;
};

/** After a batch of fewer events than these there is no rest for the sake of the deliveries. */
const MANY = 32;
/** A batch is asked to have so many events at the most. */
const MOST = 2_048;

/** So many events in a second are a burst, where a whole batch of them is waiting. */
const BURST_PER_SECOND = 8_000;

const isBurst = (events: readonly RecordedEvent[]): boolean => {
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined) return false;
  const tookMs = epochMsOf(last.recordedAt) - epochMsOf(first.recordedAt);
  return events.length * 1_000 >= BURST_PER_SECOND * tookMs;
};

/** How long to rest after a batch that took so many ms. */
export const restAfter = (
  { everyMs, manyEveryMs, share, burstShare, full, patienceMs, steadyPatienceMs, now, areComing }: Pace,
  events: readonly RecordedEvent[],
  tookMs: number,
): number => {
  const last = events.at(-1);
  if (last === undefined) return 0;
  const isMany = events.length >= MANY;
  const isFull = events.length >= full;
  const isOfBurst = isFull && isBurst(events);
  const patience = isFull && !isOfBurst ? steadyPatienceMs : patienceMs;
  if (epochMsOf(now()) - epochMsOf(last.recordedAt) > patience) return 0;
  const gathering = isFull ? 0 : (isMany ? manyEveryMs : everyMs) - tookMs;
  // Of what waits when nobody delivers any more, there is nobody to rest for.
  const isShared = isMany && (!isFull || areComing());
  const resting = isShared ? tookMs * (1 / (isOfBurst ? burstShare : share) - 1) : 0;
  return Math.max(0, gathering, resting);
};

/**
 * A subscription that rests while many events come, for two reasons. A database writes each changed page once for a batch,
 * however many events change it, so large batches are cheaper. And on a machine with two cores the time that projections
 * take is missing to the deliveries, which are more important. Projections that are far behind do not rest, and neither do
 * those that somebody waits for.
 */
export const paced = (subscribe: EventStore['subscribe'], pace: Pace, awaited: Awaited): EventStore['subscribe'] =>
  async function* (after, signal) {
    for await (const batch of subscribe(after, signal, MOST)) {
      const beganAt = performance.now();
      yield batch;
      const events = E.isRight(batch) ? batch.right : [];
      const last = events.at(-1);
      const tookMs = performance.now() - beganAt;
      // A batch is dealt with in one turn, in which nobody heard of what was appended meanwhile.
      await nextTurn();
      const rest = restAfter(pace, events, tookMs);
      if (rest > 0 && last !== undefined) await awaited.rest(rest, last.position, signal);
    }
  };
