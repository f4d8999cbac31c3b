import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);

/** Where a file of the repository is, by its path from the top. */
export const repositoryPath = (path: string): string => fileURLToPath(new URL(path, ROOT));

/** What a file of the repository says. */
export const repositoryFile = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
