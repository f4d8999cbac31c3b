const CELL = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
const REST_MS = 0.05;

/**
 * Processor time that this thread has used, in microseconds. The system counts it when the thread rests, and else every few
 * milliseconds: so it rests for a moment first.
 */
export const threadTime = (): number => {
  Atomics.wait(CELL, 0, 0, REST_MS);
  const { user, system } = process.threadCpuUsage();
  return user + system;
};
