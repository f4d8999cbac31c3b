import { inTime } from '../../concurrency/in-time.ts';

/**
 * Asks with a time limit in ms: null where no answer comes within it. One that is late is still waited for when somebody
 * asks again, so that a store that hangs has one question to answer, however often and by however many it is asked.
 */
export const withinTime = <A>(ask: () => Promise<A>): ((ms: number) => Promise<A | null>) => {
  let underWay: Promise<A> | null = null;
  return async (ms) => {
    underWay ??= ask().finally(() => {
      underWay = null;
    });
    return inTime(ms, underWay, null);
  };
};
