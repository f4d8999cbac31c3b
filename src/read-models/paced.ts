import { either as E } from 'fp-ts';
import { wait } from '../concurrency/wait.ts';
import { epochMsOf, type Instant } from '../domain/instant.ts';
import type { RecordedEvent } from '../domain/recorded-event.ts';
import type { EventStore } from '../event-store/event-store.ts';

/** How projections share a machine with the deliveries. */
export type Pace = {
  /** How far apart batches begin at least, in ms, unless an event comes alone. */
  readonly everyMs: number;
  /** The part of the time, above 0 and at most 1, that is worked while many events come. */
  readonly share: number;
  /** How old an event may have become, in ms: beyond it there is no rest any more. */
  readonly patienceMs: number;
  readonly now: () => Instant;
};

/** Fewer events than these are handed over as they come. */
const MANY = 32;
/** A batch of so many has others behind it already, which don't have to gather. */
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
 * A subscription that rests while many events come. A database writes each touched page once for a batch, however many
 * events touch it, so they are let gather; and what projections take of two cores is missing to the deliveries, which
 * come first. A log that was caught up with only in part is read without a rest.
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
