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
  /** Told once of a variable whose file was taken while it went on changing. */
  readonly onRestless?: (variable: string) => void;
  /** How often the files are looked at, in milliseconds. */
  readonly pollMs?: number;
};

const POLL_MS = 500;

/**
 * How long a file that goes on changing is waited for. Then a key that was taken out counts for more than a file that may
 * be empty for a moment: a sidecar that touches one file all the time would keep the keys in all of them valid.
 */
const MOST_RESTLESS_MS = 3_000;

/** Tells one state of the file at a path from another. By path, since links to it may change on the way. */
const fingerprint = (path: string): string => {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join(':');
  } catch (error) {
    return errorCode(error);
  }
};

/** A file that is looked at. */
type Watched = {
  /** For operators: a path may be a secret, by mistake. */
  readonly variable: string;
  readonly path: string;
  /** What it was like when it was taken, and at the last look. */
  taken: string;
  last: string;
  /** Looks since it has been another one than was taken. */
  looks: number;
};

const watched = (variable: string, path: string): Watched => {
  const now = fingerprint(path);
  return { variable, path, taken: now, last: now, looks: 0 };
};

/** Looks at a file: whether it is as it was a look ago. */
const isAtRest = (file: Watched): boolean => {
  const now = fingerprint(file.path);
  const rests = now === file.last;
  file.last = now;
  file.looks = now === file.taken ? 0 : file.looks + 1;
  return rests;
};

/**
 * Reloads the secrets without a restart: on SIGHUP, and when a file that one of the `…_FILE` variables names, or a
 * generated one, is written, replaced, linked elsewhere, removed or brought back. The files are polled, since a watch on
 * a file is lost when another takes its name (a rename, the symlink swap of a mounted volume). Changes are taken when two
 * looks in a row see the same of each file that changed: one that is being written may be empty for a moment, and what it
 * lacks then was not taken back. One that does not come to rest is not waited for longer than three seconds. Holds no
 * process alive. What changes
 * between a load and this call is only seen with the next change: whoever watches loads them once more. The answer stops it.
 */
export const watchSecrets = ({
  env,
  dataDir,
  onReload,
  onRestless = () => undefined,
  pollMs = POLL_MS,
}: WatchSecretsOptions): (() => void) => {
  const generated = generatedFiles(dataDir);
  const named = SECRET_VARIABLES.map(fileVariable).flatMap((variable) => {
    const path = env[variable];
    return path === undefined ? [] : [watched(variable, path)];
  });
  const files = [...named, watched('WEBHOOK_SECRETS', generated.webhookSecret), watched('API_KEYS', generated.apiKey)];
  const mostLooks = Math.ceil(MOST_RESTLESS_MS / pollMs);
  const told = new Set<Watched>();

  const reload = (): void => onReload(reloadSecrets(env, dataDir));

  const look = (): void => {
    const restless = new Set(files.filter((file) => !isAtRest(file)));
    const changed = files.filter(({ looks }) => looks > 0);
    if (changed.length === 0 || changed.some((file) => restless.has(file) && file.looks < mostLooks)) return;
    for (const file of changed) {
      file.taken = file.last;
      file.looks = 0;
      if (!restless.has(file) || told.has(file)) continue;
      told.add(file);
      onRestless(file.variable);
    }
    reload();
  };
  const timer = setInterval(look, pollMs).unref();
  process.on('SIGHUP', reload);
  return () => {
    clearInterval(timer);
    process.off('SIGHUP', reload);
  };
};
