import { constants } from 'node:os';
import { Worker } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import { THREAD_LIMITS } from '../concurrency/thread-limits.ts';

/** A signal that comes before it hears would be heard by nobody: it is waited for, for so long where it does not start. */
const HEARS_WITHIN_MS = 2_000;

/** Ends the thread that listens beside this one; resolves when it hears nothing more. */
export type StopHearing = () => Promise<void>;

const REMOVE = `for (const file of require('node:worker_threads').workerData)
  require('node:fs').rmSync(file, { force: true });`;

/** Files are removed in a thread of their own: where their disk hangs too, the process still ends. */
const PROGRAM = `const { Worker, workerData } = require('node:worker_threads');
let isHeard = false;
const hear = () => {
  if (isHeard) return;
  isHeard = true;
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), workerData.ms);
  if (workerData.files.length > 0) new Worker(${JSON.stringify(REMOVE)}, { eval: true, workerData: workerData.files }).on('error', () => undefined);
};
try {
  const { Signal } = require('internal/test/binding').internalBinding('signal_wrap');
  for (const number of workerData.signals) {
    const signal = new Signal();
    signal.onsignal = hear;
    signal.start(number);
  }
} finally {
  Atomics.store(workerData.hears, 0, 1);
  Atomics.notify(workerData.hears, 0);
}`;

/**
 * Kills the process (SIGKILL) so many milliseconds behind the first of these signals, from a thread that hears them itself: the
 * one that usually does may stand in a call to a disk that hangs. Node gives signals to its first thread only; what it gives that
 * by (`signal_wrap`) is not documented, and where it is not there, all is as it would be without this. While it listens, none
 * of the signals ends the process by itself.
 *
 * @param files removed at the signal, where their disk answers: the thread that would remove them may hear nothing
 */
export const killedWhenDeaf = (
  signals: readonly NodeJS.Signals[],
  ms: number,
  files: readonly string[] = [],
): StopHearing => {
  const hears = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const workerData = { signals: signals.map((signal) => constants.signals[signal]), ms, files, hears };
  const started = E.tryCatch(
    // Nothing that is configured for the program reaches it.
    () =>
      new Worker(PROGRAM, {
        eval: true,
        workerData,
        env: {},
        execArgv: ['--expose-internals', '--no-warnings'],
        resourceLimits: THREAD_LIMITS,
      }),
    String,
  );
  // Where no thread can be had there is none.
  if (E.isLeft(started)) return () => Promise.resolve();
  const thread = started.right;
  thread.on('error', () => undefined).unref();
  Atomics.wait(hears, 0, 0, HEARS_WITHIN_MS);
  return async () => {
    await thread.terminate();
  };
};
