import type { Wait } from '../concurrency/wait.ts';

/** The clocks, the waiting and the chance that calls upstream go by: parameters, so that a test decides how time passes. */
export type Timing = {
  /** The wall clock, in milliseconds since the Unix epoch: what `exp` is compared with. It may jump. */
  readonly now: () => number;
  /** Milliseconds since some moment. It never jumps, so deadlines and ages go by it. */
  readonly elapsed: () => number;
  readonly wait: Wait;
  /** From 0 up to 1, without 1: the jitter of pauses. */
  readonly random: () => number;
};
