import { Worker, type WorkerOptions } from 'node:worker_threads';

const running = new Set<Worker>();

/** Starts a thread whose program is in a file. Its imports are resolved quickly, as those of the thread that starts it. */
export const startThread = (file: URL, options: Omit<WorkerOptions, 'argv'>): Worker => {
  const thread = new Worker(new URL('./thread.ts', import.meta.url), { ...options, argv: [file.href] });
  running.add(thread);
  thread.once('exit', () => running.delete(thread));
  return thread;
};

/** Ends the threads that this one started, wherever they are. One that stands in a call of the system ends with that call: this may never resolve. */
export const endThreads = async (): Promise<void> => {
  await Promise.all([...running].map((thread) => thread.terminate()));
};
