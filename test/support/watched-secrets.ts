import { randomBytes } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, watchSecrets, type Environment } from '../../src/config/index.ts';
import type { FileLooks } from '../../src/config/watched-file.ts';
import { right } from './right.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const secretEntry = (id: string): string => `${id}=secret-of-${id}-with-enough-bytes`;

export const keyEntry = (id: string): string => `${id}:orders:read=key-of-${id}-with-enough-bytes-in-it`;

/** What a reload handed over: ids, and the variables that something was wrong with. */
export type Notice = {
  readonly active: readonly string[];
  readonly retired: readonly string[];
  readonly keys: readonly string[];
  readonly wrong: readonly string[];
};

/** What is valid with the generated key alone. */
export const noticeOf = (active: readonly string[], retired: readonly string[] = []): Notice => ({
  active,
  retired,
  keys: ['generated'],
  wrong: [],
});

/** Secrets in files of a folder, which are watched, and what is told of them. */
export class WatchedSecrets {
  readonly #folder = temporaryFolder();
  #stop = (): void => undefined;
  #wake = (): void => undefined;
  notices: Notice[] = [];
  readonly restless: string[] = [];
  readonly silences: (number | 'over')[] = [];

  readonly path = (name: string): string => join(this.#folder.path, name);

  readonly watch = (env: Environment, pollMs = 5, looks?: FileLooks): void => {
    const full = { DATA_DIR: this.path('data'), ...env };
    const { config } = right(loadConfig(full, { generate: true, randomBytes }));
    this.#stop = watchSecrets({
      env: full,
      dataDir: config.dataDir,
      pollMs,
      ...(looks === undefined ? {} : { looks }),
      onSilent: (silent) => this.silences.push(silent === null ? 'over' : silent.seconds),
      onRestless: (variable) => this.restless.push(variable),
      onReload: ({ secrets: { webhook, apiKeys }, errors }) => {
        this.notices.push({
          active: webhook.active.map(({ id }) => id),
          retired: webhook.retired.map(({ id }) => id),
          keys: apiKeys.map(({ id }) => id),
          wrong: errors.map(({ variable }) => variable),
        });
        this.#wake();
      },
    });
  };

  /** What is told next. */
  readonly next = async (): Promise<Notice | undefined> => {
    if (this.notices.length === 0) {
      // The watch holds no process alive, so the wait has to.
      const alive = setInterval(() => undefined, 1_000);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      clearInterval(alive);
    }
    return this.notices.shift();
  };

  readonly replace = (name: string, text: string): void => {
    writeFileSync(this.path('draft'), text);
    renameSync(this.path('draft'), this.path(name));
  };

  readonly stop = (): void => this.#stop();

  readonly end = (): void => {
    this.#stop();
    this.#folder.remove();
  };
}
