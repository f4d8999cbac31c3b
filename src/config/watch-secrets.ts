import { statSync } from 'node:fs';
import type { Environment } from './environment.ts';
import { errorCode } from './error-code.ts';
import { generatedFiles } from './generated-secret.ts';
import { reloadSecrets, type ReloadedSecrets } from './load-secrets.ts';
import { fileVariable, SECRET_VARIABLES } from './secret-source.ts';

export type WatchSecretsOptions = {
  readonly env: Environment;
  /** That of the config that was loaded. */
  readonly dataDir: string;
  /** Given, after each change, what is valid now, with what is wrong with the rest. */
  readonly onReload: (reloaded: ReloadedSecrets) => void;
  /** How often the files are looked at, in milliseconds. */
  readonly pollMs?: number;
};

const POLL_MS = 500;

/** Tells one state of the file at a path from another. By path, since links to it may change on the way. */
const fingerprint = (path: string): string => {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(':');
  } catch (error) {
    return errorCode(error);
  }
};

/**
 * Reloads the secrets without a restart: on SIGHUP, and when a file that one of the `…_FILE` variables names, or a
 * generated one, is written, replaced, linked elsewhere, removed or brought back. The files are polled, since a watch on
 * a file is lost when another takes its name (a rename, the symlink swap of a mounted volume). A change is taken when two
 * looks in a row see the same: a file that is being written may be empty for a moment, and what it lacks then was not
 * taken back. Holds no process alive. To be called right after the load: what changes in between is only seen with the
 * next change. The answer stops it.
 */
export const watchSecrets = ({ env, dataDir, onReload, pollMs = POLL_MS }: WatchSecretsOptions): (() => void) => {
  const generated = generatedFiles(dataDir);
  const named = SECRET_VARIABLES.flatMap((variable) => env[fileVariable(variable)] ?? []);
  const paths = [...named, generated.webhookSecret, generated.apiKey];
  const look = (): string => paths.map(fingerprint).join();

  const reload = (): void => onReload(reloadSecrets(env, dataDir));

  let taken = look();
  let last = taken;
  const timer = setInterval(() => {
    const now = look();
    const isSettled = now === last;
    last = now;
    if (!isSettled || now === taken) return;
    taken = now;
    reload();
  }, pollMs).unref();
  process.on('SIGHUP', reload);
  return () => {
    clearInterval(timer);
    process.off('SIGHUP', reload);
  };
};
