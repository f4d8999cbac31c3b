import { lockLost, type HeldFile } from './kept-place.ts';

/** A lock that is looked at again and again. */
export type WatchedLock = {
  /** Why it keeps out nobody any more, as far as it was looked; null where it does. */
  readonly lost: () => string | null;
  /** Ends the looking. */
  readonly stop: () => void;
};

/**
 * Looks again and again whether a lock still keeps others out, and tells once where it does not.
 *
 * @param everyMs how often, in milliseconds
 */
export const watchLock = (lock: HeldFile, onLost: (detail: string) => void, everyMs: number): WatchedLock => {
  let lost: string | null = null;
  const timer = setInterval(() => {
    lost = lockLost([lock]);
    if (lost === null) return;
    clearInterval(timer);
    onLost(lost);
  }, everyMs);
  timer.unref();
  return { lost: () => lost, stop: () => clearInterval(timer) };
};
