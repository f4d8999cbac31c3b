import { setTimeout as after } from 'node:timers/promises';
import type { Timing } from './timing.ts';

/** The machine's clocks and timers. */
export const systemTiming: Timing = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  wait: async (ms, signal) => {
    // The only rejection is that of the signal, which ends the wait as its time does.
    await after(ms, undefined, { signal }).catch(() => undefined);
  },
  random: () => Math.random(),
};
