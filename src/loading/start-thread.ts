import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Starts a thread whose program is in a file. Its imports are resolved quickly, as those of the thread that starts it. */
export const startThread = (file: URL, options: Omit<WorkerOptions, 'argv'>): Worker =>
  new Worker(new URL('./thread.ts', import.meta.url), { ...options, argv: [file.href] });
