import type { Wait } from './wait.ts';

/** Calls after so many milliseconds; its answer takes that back. */
type CallLater = (ms: number, call: () => void) => () => void;

const byTheClock: CallLater = (ms, call) => {
  const timer = setTimeout(call, ms);
  return () => clearTimeout(timer);
};

const callLaterBy =
  (wait: Wait): CallLater =>
  (ms, call) => {
    const takenBack = new AbortController();
    void wait(ms, takenBack.signal).then(() => {
      if (!takenBack.signal.aborted) call();
      return undefined;
    });
    return () => takenBack.abort();
  };

/** Work that is under way, or that begins now and is told by the signal when nobody waits for it any more. */
export type Work<A> = Promise<A> | ((late: AbortSignal) => Promise<A>);

const abortable = <A>(work: Work<A>): { readonly begun: () => Promise<A>; readonly abort: () => void } => {
  if (typeof work !== 'function') return { begun: () => work, abort: () => undefined };
  const deadline = new AbortController();
  return { begun: () => work(deadline.signal), abort: () => deadline.abort() };
};

const inTimeBy =
  (callLater: CallLater) =>
  async <A, B>(ms: number, work: Work<A>, late: B): Promise<A | B> => {
    const over = Promise.withResolvers<B>();
    const { begun, abort } = abortable(work);
    const takeBack = callLater(ms, () => {
      over.resolve(late);
      abort();
    });
    try {
      // A race listens to both for ever: work that fails after the deadline is no unhandled rejection.
      return await Promise.race([begun(), over.promise]);
    } finally {
      takeBack();
    }
  };

/**
 * What some work comes to, or `late` after so many milliseconds. The work goes on then, unless it listens to its signal,
 * and what becomes of it is nobody's: a rejection within the time is passed on, a later one is not. No timer is left.
 */
export const inTime = inTimeBy(byTheClock);

/** As `inTime`, by another clock. */
export const inTimeWith = (wait: Wait): typeof inTime => inTimeBy(callLaterBy(wait));
