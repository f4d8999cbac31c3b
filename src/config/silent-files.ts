import { dirname } from 'node:path';
import { inTime } from '../concurrency/in-time.ts';
import type { Environment } from './environment.ts';
import { FILE_SECRETS, fileVariable, type FileSecret } from './file-secrets.ts';
import type { FileLooks } from './watched-file.ts';

const WITHIN_MS = 1_500;

/** A look that does not come back holds one of Node's four threads for files, which others need too. */
const MOST_SILENT_FOLDERS = 2;

/** Whether a path's file system does not answer, which is waited for a second and a half. */
export const isSilent = async (path: string, { reach }: Pick<FileLooks, 'reach'>): Promise<boolean> =>
  (await inTime(WITHIN_MS, reach(path), 'silent')) === 'silent';

/**
 * Which variables name a file whose file system does not answer: whoever reads one stands in the system, and can't be told to
 * stop. Looks one after the other, each for a second and a half; a file beside one that does not answer is not looked at, nor is any
 * behind two folders that do not: they count as silent too.
 */
export const silentFiles = async (
  env: Environment,
  looks: Pick<FileLooks, 'reach'>,
): Promise<readonly FileSecret[]> => {
  const folders = new Set<string>();
  const silent: FileSecret[] = [];
  for (const variable of FILE_SECRETS) {
    const path = env[fileVariable(variable)] ?? '';
    if (path === '') continue;
    const folder = dirname(path);
    const isKnown = folders.size >= MOST_SILENT_FOLDERS || folders.has(folder);
    if (!isKnown && !(await isSilent(path, looks))) continue;
    folders.add(folder);
    silent.push(variable);
  }
  return silent;
};
