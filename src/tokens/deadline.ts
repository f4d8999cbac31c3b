import type { Timing } from './timing.ts';

/** By when some work has to be done. */
export type Deadline = {
  /** Aborted at the deadline, or when what the work belongs to is closed. */
  readonly signal: AbortSignal;
  /** Milliseconds until then, 0 afterwards. */
  readonly left: () => number;
  /** A promise's value, or another one if the deadline comes first; the promise goes on then, unheard. */
  readonly inTime: <A>(work: Promise<A>, late: A) => Promise<A>;
};

/** Gives work a deadline, in milliseconds from now, or the abortion of `closing` if that comes first. */
export const withDeadline = async <A>(
  { elapsed, wait }: Timing,
  ms: number,
  closing: AbortSignal,
  work: (deadline: Deadline) => Promise<A>,
): Promise<A> => {
  const end = elapsed() + ms;
  const done = new AbortController();
  const over = new AbortController();
  const reached = wait(ms, AbortSignal.any([done.signal, closing])).then(() => over.abort());
  try {
    return await work({
      signal: over.signal,
      left: () => (over.signal.aborted ? 0 : Math.max(0, end - elapsed())),
      inTime: (promise, late) => Promise.race([promise, reached.then(() => late)]),
    });
  } finally {
    done.abort();
  }
};
