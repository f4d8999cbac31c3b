import { either as E } from 'fp-ts';
import { wait } from '../concurrency/wait.ts';
import { epochMsOf, type Instant } from '../domain/instant.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { EventStore } from '../event-store/event-store.ts';

/** How projections share a machine with the deliveries. */
export type Pace = {
  /** The shortest time between the beginnings of two batches, in ms. */
  readonly everyMs: number;
  /** The share of the time in which projections work while many events come: above 0, at most 1. */
  readonly share: number;
  /** The age of an event, in ms, from which on projections no longer rest. */
  readonly patienceMs: number;
  readonly now: () => Instant;
};

/** After a batch of fewer events than these there is no rest for the sake of the deliveries. */
const MANY = 32;
/** After a batch of so many events others are waiting already: no time is spent on letting more gather. */
const FULL = 256;

/** How long to rest after a batch that took so many ms. */
export const restAfter = (
  { everyMs, share, patienceMs, now }: Pace,
  events: readonly RecordedEvent[],
  tookMs: number,
): number => {
  const last = events.at(-1);
  if (last === undefined || epochMsOf(now()) - epochMsOf(last.recordedAt) > patienceMs) return 0;
  const gathering = events.length < FULL ? everyMs - tookMs : 0;
  const resting = events.length < MANY ? 0 : tookMs * (1 / share - 1);
  return Math.max(0, gathering, resting);
};

/**
 * A subscription that rests while many events come, for two reasons. A database writes each changed page once for a batch,
 * however many events change it, so large batches are cheaper. And on a machine with two cores the time that projections
 * take is missing to the deliveries, which are more important. Projections that are far behind do not rest.
 */
export const paced = (subscribe: EventStore['subscribe'], pace: Pace): EventStore['subscribe'] =>
  async function* (after, signal) {
    for await (const batch of subscribe(after, signal)) {
      const beganAt = performance.now();
      yield batch;
      const rest = E.isRight(batch) ? restAfter(pace, batch.right, performance.now() - beganAt) : 0;
      if (rest > 0) await wait(rest, signal);
    }
  };
