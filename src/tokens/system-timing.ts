import { wait } from '../concurrency/wait.ts';
import type { Timing } from './timing.ts';

/** The machine's clocks and timers. */
export const systemTiming: Timing = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  wait,
  random: () => Math.random(),
};
