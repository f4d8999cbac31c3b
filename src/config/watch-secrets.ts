import { LOOK_EVERY_MS, Silence } from '../concurrency/silence.ts';
import type { Environment } from './environment.ts';
import { generatedFiles } from './generated-secret.ts';
import { reloadSecrets, type ReloadedSecrets } from './load-secrets.ts';
import { fileVariable, SECRET_VARIABLES } from './file-secrets.ts';
import { fileLooks, WatchedFile, type FileLooks } from './watched-file.ts';

export type WatchSecretsOptions = {
  readonly env: Environment;
  /** That of the config that was loaded. */
  readonly dataDir: string;
  /** Given, after each change, what is valid now, with what is wrong with the rest. */
  readonly onReload: (reloaded: ReloadedSecrets) => void;
  /** Told once of a variable whose file was taken while it went on changing. */
  readonly onRestless?: (variable: string) => void;
  /** Told once of files that no look comes to an end of, and, with null, when one does again. */
  readonly onSilent?: (silent: { readonly seconds: number } | null) => void;
  readonly looks?: FileLooks;
  /** How often the files are looked at, in milliseconds. */
  readonly pollMs?: number;
};

const POLL_MS = 500;

/**
 * How long a file that goes on changing is waited for. Then a key that was taken out counts for more than a file that may
 * be empty for a moment: a sidecar that touches one file all the time would keep the keys in all of them valid.
 */
const MOST_RESTLESS_MS = 3_000;

/**
 * Reloads the secrets without a restart: on SIGHUP, and when a file that one of the `…_FILE` variables names, or a
 * generated one, is written, replaced, linked elsewhere, removed or brought back. The files are polled, since a watch on
 * a file is lost when another takes its name (a rename, the symlink swap of a mounted volume). Changes are taken when two
 * looks in a row see the same of each file that changed, and a third one behind the reading: one that is being written may
 * be empty for a moment, and what it lacks then was not taken back. SIGHUP waits for that too: it has read what did not
 * change. A file that does not come to rest is not waited for longer than three seconds, nor all of them for more than six. Where the file
 * system does not answer, what was read last stays valid, and that is told. Holds no process alive. What changes between a load
 * and this call is only seen with the next change: whoever watches loads them once more. The answer stops it.
 */
export const watchSecrets = ({
  env,
  dataDir,
  onReload,
  onRestless = () => undefined,
  onSilent = () => undefined,
  looks = fileLooks,
  pollMs = POLL_MS,
}: WatchSecretsOptions): (() => void) => {
  const generated = generatedFiles(dataDir);
  const named = SECRET_VARIABLES.map(fileVariable).flatMap((variable) => {
    const path = env[variable];
    return path === undefined ? [] : [new WatchedFile(variable, path)];
  });
  const files = [
    ...named,
    new WatchedFile('WEBHOOK_SECRETS', generated.webhookSecret),
    new WatchedFile('API_KEYS', generated.apiKey),
  ];
  const mostLooks = Math.ceil(MOST_RESTLESS_MS / pollMs);
  const told = new Set<WatchedFile>();
  const silence = new Silence();
  let isStopped = false;
  const isOver = (): boolean => isStopped;

  let isAsked = false;
  /** Looks since something is to be read. */
  let waited = 0;
  const isWaitedFor = (file: WatchedFile): boolean => file.looks < mostLooks && waited < 2 * mostLooks;

  const takeChanged = (restless: ReadonlySet<WatchedFile>): void => {
    for (const file of files.filter(({ looks }) => looks > 0)) {
      file.take();
      if (!restless.has(file) || told.has(file)) continue;
      told.add(file);
      onRestless(file.variable);
    }
  };
  /** Hands over what is read now; what changed meanwhile may have been read by half, and is read again behind another look. */
  const reload = async (restless: Set<WatchedFile>): Promise<void> => {
    for (const { path } of files) await looks.reach(path);
    if (isOver()) return;
    isAsked = false;
    const reloaded = reloadSecrets(env, dataDir);
    for (const file of files) if (!file.isAsSeen(await looks.fingerprint(file.path))) restless.add(file);
    if ([...restless].some(isWaitedFor)) {
      isAsked = true;
      return;
    }
    waited = 0;
    takeChanged(restless);
    if (!isOver()) onReload(reloaded);
  };

  const look = async (): Promise<void> => {
    const restless = new Set<WatchedFile>();
    for (const file of files) if (!file.isAtRest(await looks.fingerprint(file.path))) restless.add(file);
    waited = isAsked || files.some((file) => file.looks > 0) ? waited + 1 : 0;
    if (waited > 0 && ![...restless].some(isWaitedFor)) await reload(restless);
  };

  /** One at a time: what does not come back holds one thread of Node's, not all of them. */
  let underWay: object | undefined;
  const begin = async (): Promise<void> => {
    if (underWay !== undefined || isOver()) return;
    underWay = {};
    await look();
    underWay = undefined;
    if (isOver()) return;
    // Two looks are so far apart also where the first one took long.
    polling.refresh();
    if (silence.answered() !== null) onSilent(null);
  };
  const askedFor = (): void => {
    isAsked = true;
  };
  const polling = setInterval(() => void begin(), pollMs).unref();
  const listening = setInterval(() => {
    if (silence.look(underWay)) onSilent({ seconds: silence.seconds ?? 0 });
  }, LOOK_EVERY_MS).unref();
  process.on('SIGHUP', askedFor);
  return () => {
    isStopped = true;
    clearInterval(polling);
    clearInterval(listening);
    process.off('SIGHUP', askedFor);
  };
};
