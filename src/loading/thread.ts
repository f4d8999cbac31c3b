// Where a thread starts (start-thread.ts), and a process likewise (start-process.ts): what a program imports is resolved before
// its first line runs, so that it can't say itself how that is done.
import { flushCompileCache } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { resolveQuickly } from './quick-resolution.ts';

resolveQuickly();
if (!isMainThread) (await import('./tell-of-end.ts')).tellOfEnd();
const [, , program = ''] = process.argv;
await import(program);
// A thread keeps what it compiled as it ends. A process is killed, and the next would strip types and compile all of it again.
if (isMainThread) flushCompileCache();
