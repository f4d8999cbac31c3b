import { postMessageToThread, Worker, type WorkerOptions } from 'node:worker_threads';
import { END, LEAVE, madeTold, withTold } from './told-end.ts';

/** A thread that has its turns hears within that. */
const HEARS_WITHIN_MS = 300;

/** Those that run, with their ends. */
const running = new Map<Worker, Promise<void>>();

/** Those that have ended but for a name that they asked the system for: nothing of them is at work, and nothing can end them. */
const left = new Set<Worker>();

/** Starts a thread whose program is in a file. Its imports are resolved quickly, as those of the thread that starts it. */
export const startThread = (file: URL, options: Omit<WorkerOptions, 'argv'>): Worker => {
  const told = madeTold();
  const thread = withTold(
    told,
    () => new Worker(new URL('./thread.ts', import.meta.url), { ...options, argv: [file.href] }),
  );
  const ended = Promise.withResolvers<void>();
  running.set(thread, ended.promise);
  const end = (): void => {
    running.delete(thread);
    ended.resolve();
  };
  thread.once('exit', () => {
    left.delete(thread);
    end();
    // Whoever waits for its word waits no longer.
    Atomics.notify(told, 0);
  });
  const hear = async (): Promise<void> => {
    await Atomics.waitAsync(told, 0, END.lives).value;
    if (Atomics.load(told, 0) !== END.waitsForNames || !running.has(thread)) return;
    left.add(thread);
    end();
  };
  void hear();
  return thread;
};

/** Resolves when a thread has ended, or waits for nothing any more but a name that it asked the system for. */
export const endOf = (thread: Worker): Promise<void> => running.get(thread) ?? Promise.resolve();

/** Whether threads are left that have ended but for the names that they wait for. The end of the process would wait for them. */
export const areThreadsLeft = (): boolean => left.size > 0;

/**
 * Ends a thread wherever it is; resolves as `endOf` does. One that hears nothing is ended from outside, and where it stands in a
 * call of the system it ends with that call: this may never resolve.
 */
export const endThread = async (thread: Worker): Promise<void> => {
  const end = endOf(thread);
  try {
    await Promise.race([end, postMessageToThread(thread.threadId, LEAVE, HEARS_WITHIN_MS)]);
  } catch {
    void thread.terminate();
  }
  await end;
};

/** Ends the threads that this one started, each as `endThread` does. */
export const endThreads = async (): Promise<void> => {
  await Promise.all([...running.keys()].map(endThread));
};
