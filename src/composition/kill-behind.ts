import { Worker } from 'node:worker_threads';
import { THREAD_LIMITS } from '../concurrency/thread-limits.ts';

/**
 * Kills the process (SIGKILL) behind so many milliseconds, from a thread that does nothing else: this one may stand in a call of
 * the system then, a look at a file system that does not answer say, and could not. A process that has ended before is not
 * kept. Where no thread can be had nothing is done.
 */
export const killBehind = (ms: number): void => {
  const program = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${ms})`;
  try {
    new Worker(program, { eval: true, resourceLimits: THREAD_LIMITS }).once('error', () => undefined).unref();
  } catch {
    // The end has bounds of its own, which this is behind.
  }
};
