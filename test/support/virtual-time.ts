import { setImmediate as turn } from 'node:timers/promises';
import type { Timing } from '../../src/tokens/timing.ts';

type Timer = { readonly at: number; readonly fire: () => void };

/** Time that passes only when nothing else can go on, and then at once up to the next thing that waits. */
export type VirtualTime = {
  readonly timing: Timing;
  /** Sets the wall clock ahead or back by so many milliseconds. */
  readonly jump: (ms: number) => void;
  /** Calls at a time, in milliseconds from the start. */
  readonly at: (ms: number, call: () => void) => void;
  /** How many things wait for a time to come. */
  readonly waiting: () => number;
  /** Lets time pass until the work is done; fails where nothing waits any more and it is not. */
  readonly run: <A>(work: Promise<A>) => Promise<A>;
};

/** The wall clock at the start: a whole second, in milliseconds since the Unix epoch. */
export const START = Date.UTC(2026, 0, 31, 12);

export const virtualTime = (random: () => number = () => 0.5): VirtualTime => {
  let elapsed = 0;
  let ahead = START;
  const timers = new Set<Timer>();

  const earliest = (): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) if (first === undefined || timer.at < first.at) first = timer;
    return first;
  };

  return {
    timing: {
      now: () => ahead + elapsed,
      elapsed: () => elapsed,
      random,
      wait: (ms, signal) =>
        new Promise((resolve) => {
          const end = (): void => {
            timers.delete(timer);
            signal.removeEventListener('abort', end);
            resolve();
          };
          const timer = { at: elapsed + ms, fire: end };
          if (signal.aborted) {
            resolve();
            return;
          }
          timers.add(timer);
          signal.addEventListener('abort', end);
        }),
    },
    jump: (ms) => {
      ahead += ms;
    },
    at: (ms, call) => {
      const timer = {
        at: ms,
        fire: () => {
          timers.delete(timer);
          call();
        },
      };
      timers.add(timer);
    },
    waiting: () => timers.size,
    run: async (work) => {
      const state = { done: false };
      const end = (): void => {
        state.done = true;
      };
      work.then(end, end);
      for (;;) {
        await turn();
        if (state.done) return work;
        const next = earliest();
        if (next === undefined) throw new Error('it waits for something that never comes');
        elapsed = Math.max(elapsed, next.at);
        next.fire();
      }
    },
  };
};
