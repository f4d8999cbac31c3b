// Where a thread starts (start-thread.ts): what a program imports is resolved before its first line runs, so that it can't
// say itself how that is done.
import { resolveQuickly } from './quick-resolution.ts';

resolveQuickly();
const [, , program = ''] = process.argv;
await import(program);
