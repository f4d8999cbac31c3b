import { setImmediate as turn } from 'node:timers/promises';

/**
 * Gives each of many who work beside each other a turn of the loop of its own. To be awaited before each piece of work: those whose
 * pauses end in the same turn would else all go on in it, and keep everybody waiting who is served by the thread.
 */
export const oneATurn = (): (() => Promise<void>) => {
  let line = Promise.resolve();
  return () => (line = line.then(() => turn()));
};
