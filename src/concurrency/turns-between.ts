import { setImmediate as turn } from 'node:timers/promises';

/** Longer than this nobody else who is served by the thread is kept waiting. */
const SLICE_MS = 5;

/**
 * Lets others have their turn in the midst of work that takes long. To be awaited between pieces of it: it is a turn of the loop
 * once the pieces since the last one took some ms, and nothing else.
 */
export const turnsBetween = (sliceMs = SLICE_MS): (() => Promise<void>) => {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceMs) return;
    await turn();
    since = performance.now();
  };
};
