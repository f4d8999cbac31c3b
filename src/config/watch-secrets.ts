import { statSync } from 'node:fs';
import { either as E } from 'fp-ts';
import type { ConfigError } from './config-error.ts';
import type { Environment } from './environment.ts';
import { errorCode } from './error-code.ts';
import { generatedFiles } from './generated-secret.ts';
import { loadSecrets, type LoadedSecrets, type SecretPlace } from './load-secrets.ts';
import { fileVariable, SECRET_VARIABLES } from './secret-source.ts';

export type WatchSecretsOptions = {
  readonly env: Environment;
  /** Those of the config that was loaded. */
  readonly place: SecretPlace;
  /** Given the new sets, complete and valid, after each change. */
  readonly onReload: (loaded: LoadedSecrets) => void;
  /** Told why a change was not taken; the sets before it stay. */
  readonly onError: (error: ConfigError) => void;
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
 * a file is lost when another takes its name (a rename, the symlink swap of a mounted volume); what changed between two
 * looks is taken in one reload. Holds no process alive. To be called right after the load: what changes in between is
 * only seen with the next change. The answer stops it.
 */
export const watchSecrets = ({
  env,
  place,
  onReload,
  onError,
  pollMs = POLL_MS,
}: WatchSecretsOptions): (() => void) => {
  const generated = generatedFiles(place.dataDir);
  const named = SECRET_VARIABLES.flatMap((variable) => env[fileVariable(variable)] ?? []);
  const paths = [...named, generated.webhookSecret, generated.apiKey];
  const look = (): string => paths.map(fingerprint).join();

  const reload = (): void => {
    const loaded = loadSecrets(env, place, { _tag: 'refuse' });
    if (E.isLeft(loaded)) onError(loaded.left);
    else onReload(loaded.right);
  };

  let seen = look();
  const timer = setInterval(() => {
    const now = look();
    if (now === seen) return;
    seen = now;
    reload();
  }, pollMs).unref();
  process.on('SIGHUP', reload);
  return () => {
    clearInterval(timer);
    process.off('SIGHUP', reload);
  };
};
