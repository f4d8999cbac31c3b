import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryPath } from '../support/repository-file.ts';

/** What a script said and how it ended. */
export type Ran = { readonly status: number | null; readonly out: string; readonly err: string };

/** Runs a script of deploy/ to its end. */
export const runScript = (name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Ran => {
  const { status, stdout, stderr } = spawnSync('sh', [repositoryPath(`deploy/${name}`), ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    timeout: 20_000,
  });
  return { status, out: stdout, err: stderr };
};

/** Puts into a folder what ledgers find below / in their containers: secrets as deploy/make-secrets.sh makes them, the authority's certificate. */
export const fillContainerFolder = (folder: string): Ran => {
  mkdirSync(join(folder, 'certificates/ca'), { recursive: true });
  writeFileSync(join(folder, 'certificates/ca/ca.crt'), '');
  return runScript('make-secrets.sh', [join(folder, 'run/secrets')]);
};
