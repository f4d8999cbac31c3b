import type { Pause } from '../concurrency/wait.ts';

/** Lets work through at a chosen rate. */
export type Pacer = {
  /** Resolves when it is somebody's turn. */
  readonly turn: () => Promise<void>;
};

/**
 * Turns that were missed for longer than this are not made up for, so that a receiver that comes back is not overrun.
 */
const MOST_BEHIND_MS = 1_000;
const MS_PER_SECOND = 1_000;

export const unpaced: Pacer = { turn: () => Promise.resolve() };

/**
 * So many turns a second, in equal steps or, with `together`, in groups that come at once.
 *
 * @param monotonicMs a clock that only measures
 */
export const createPacer = (perSecond: number, together: number, monotonicMs: () => number, wait: Pause): Pacer => {
  const everyMs = (MS_PER_SECOND / perSecond) * together;
  let group = monotonicMs();
  let left = together;
  return {
    turn: async () => {
      const now = monotonicMs();
      if (left === 0) {
        group = Math.max(group + everyMs, now - MOST_BEHIND_MS);
        left = together;
      }
      left -= 1;
      if (group > now) await wait(group - now);
    },
  };
};
