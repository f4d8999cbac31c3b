import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/** Where a thread writes, as it ends, what its end still waits for. */
const KEY = 'ramp-ledger: what the end of this thread waits for';

/** What a thread writes there; before, it lives. */
export const END = { lives: 0, comes: 1, waitsForNames: 2 } as const;

/** What a thread is told that is to end as soon as it hears it. */
export const LEAVE = 'ramp-ledger: leave';

/** Memory that a thread and who starts it share, made for one thread. */
export const madeTold = (): Int32Array => new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Gives that memory to the thread that is started meanwhile. */
export const withTold = <A>(told: Int32Array, start: () => A): A => {
  setEnvironmentData(KEY, told);
  try {
    return start();
  } finally {
    setEnvironmentData(KEY, undefined);
  }
};

/** What this thread was given; null where it was started otherwise. */
export const givenTold = (): Int32Array | null => {
  const given: unknown = getEnvironmentData(KEY);
  return given instanceof Int32Array ? given : null;
};
