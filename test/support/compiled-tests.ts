import { enableCompileCache, flushCompileCache } from 'node:module';
import { repositoryPath } from './repository-file.ts';

// What is compiled is kept among the packages, as the ledger keeps it: each process of mocha loads most of the sources.
enableCompileCache(repositoryPath('node_modules/.cache/tests'));

/** Mocha ends its processes before they could write anything. */
export const mochaHooks = { afterAll: flushCompileCache };
