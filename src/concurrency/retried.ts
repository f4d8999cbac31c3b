import type { Pause } from './wait.ts';

/**
 * Tries until an outcome is the answer; the others are tried again after a pause.
 *
 * @param attempt given the number of failures before it, from 0
 * @param pauseAfter the milliseconds until the next try, given an outcome and the failures with it, from 1; null: it is the answer
 */
export const retried = async <A>(
  attempt: (failures: number) => Promise<A>,
  pauseAfter: (outcome: A, failures: number) => number | null,
  pause: Pause,
): Promise<A> => {
  for (let failures = 0; ; failures += 1) {
    const outcome = await attempt(failures);
    const pauseMs = pauseAfter(outcome, failures + 1);
    if (pauseMs === null) return outcome;
    await pause(pauseMs);
  }
};
