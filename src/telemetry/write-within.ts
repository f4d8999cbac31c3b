import { writeSync } from 'node:fs';

/** A pipe that is full without blocking the write is tried again behind so long: the event loop waits too. */
const FULL_PIPE_MS = 20;

/** As much as a pipe takes whole or not at all: between two of them the time is looked at. */
const PIECE_BYTES = 4_096;

/** Whether a pipe took nothing since it is full, without waiting for room. */
export const isFull = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EAGAIN';

const pauseSync = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_MS);
};

/**
 * Writes bytes to a descriptor at once, for the end of the process; the answer is how many were taken. So many milliseconds
 * are all that it has: whoever takes a little again and again would hold up the end else. Throws what the system says.
 */
export const writeWithin = (ms: number, fd: number, bytes: Buffer): number => {
  const until = performance.now() + ms;
  let at = 0;
  while (at < bytes.length && performance.now() < until) {
    try {
      at += writeSync(fd, bytes, at, Math.min(PIECE_BYTES, bytes.length - at));
    } catch (error) {
      if (!isFull(error)) throw error;
      pauseSync();
    }
  }
  return at;
};
