import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Starts a process whose program is in a file, as `startThread` does a thread. One that stands in a call of the system can be left
 * behind, where a thread would hold up the end of its process: it has none of this one's files, and ends by itself when nobody
 * listens to it any more.
 */
export const startProcess = (file: URL): ChildProcess =>
  fork(fileURLToPath(new URL('./thread.ts', import.meta.url)), [file.href], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
