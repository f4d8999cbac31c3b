import { setTimeout as wait } from 'node:timers/promises';
import type { QueryClient } from './query-client.ts';

const LOOK_EVERY_MS = 200;
const GIVE_UP_MS = 120_000;
/** `behind`: nothing is signed yet. */
const NOT_YET = 503;

/** A checkpoint's second line (docs/spec/http.md, Proofs). */
const sizeOf = (note: string): number => Number(note.split('\n')[1]);

/**
 * Waits until a ledger has signed so many events. One that was just filled makes the tree of its log at its first start,
 * some 6 µs of processor time for an event; one that serves has made it long ago.
 *
 * @throws Error where it has not within two minutes
 */
export const untilSigned = async (client: QueryClient, events: number): Promise<void> => {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  for (;;) {
    const { status, text } = await client.get('/v1/log/checkpoint', false, NOT_YET);
    if (status !== NOT_YET && sizeOf(text) >= events) return;
    if (performance.now() > giveUpAt) throw new Error(`${events} events were not signed in ${GIVE_UP_MS / 1000} s`);
    await wait(LOOK_EVERY_MS);
  }
};
