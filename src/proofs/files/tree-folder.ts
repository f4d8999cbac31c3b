import { join } from 'node:path';

/** The folder of the tree's files in a data directory. */
export const treeFolder = (dataDir: string): string => join(dataDir, 'log-tree');
