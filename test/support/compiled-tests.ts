import { enableCompileCache, flushCompileCache } from 'node:module';
import { resolveQuickly } from '../../src/loading/quick-resolution.ts';
import { repositoryPath } from './repository-file.ts';

// What is compiled is kept among the packages, as the ledger keeps it: each process of mocha loads most of the sources.
const folder = repositoryPath('node_modules/.cache/tests');
enableCompileCache(folder);
// Threads learn of it by this alone, and each ledger that a test starts in this process has three.
process.env['NODE_COMPILE_CACHE'] ??= folder;

resolveQuickly();

/** Mocha ends its processes before they could write anything. */
export const mochaHooks = { afterAll: flushCompileCache };
