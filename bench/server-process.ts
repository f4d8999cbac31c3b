import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { OwnedResources } from './owned-resources.ts';

/** A server under measurement. */
export type ServerProcess = {
  readonly pid: number;
  readonly host: string;
  readonly port: number;
  /** Where it listens, as it said itself. */
  readonly url: string;
  /** The end of what it wrote to standard error. */
  readonly complaints: () => string;
  /**
   * Ends it and removes its directory.
   *
   * @throws Error where it was to end gracefully and didn't
   */
  readonly stop: () => Promise<void>;
};

type ServerProgram = {
  readonly name: string;
  /** Relative to this folder. */
  readonly file: string;
  readonly argv: readonly string[];
  readonly nodeArguments: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Whether its exit status after SIGTERM must be 0. */
  readonly graceful: boolean;
};

/** docs/spec/configuration.md, Listening: the line that is printed at every log level. */
const ListeningLine = t.type({ msg: t.literal('listening'), url: t.string });

const START_MS = 20_000;
const LOOK_EVERY_MS = 20;
const SHOWN_COMPLAINTS = 2_000;

const listeningUrl = (log: string): URL | null => {
  for (const line of log.split('\n')) {
    if (!line.includes('"listening"') || !line.endsWith('}')) continue;
    const decoded = ListeningLine.decode(JSON.parse(line));
    if (E.isRight(decoded)) return new URL(decoded.right.url);
  }
  return null;
};

const waitUntilListening = async (name: string, child: ChildProcess, log: string, complaints: () => string) => {
  const giveUpAt = Date.now() + START_MS;
  for (;;) {
    const url = listeningUrl(readFileSync(log, 'utf8'));
    if (url !== null) return url;
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`the ${name} ended before it was listening\n${complaints()}`.trim());
    }
    if (Date.now() > giveUpAt) throw new Error(`the ${name} was not listening after ${START_MS / 1000} s`);
    await after(LOOK_EVERY_MS);
  }
};

/** Starts a server with nothing in its environment but what is given; what it logs goes to files in `directory`. */
const startServer = async (
  owned: OwnedResources,
  directory: string,
  { name, file, argv, nodeArguments, env, graceful }: ServerProgram,
): Promise<ServerProcess> => {
  const [log, errors] = [join(directory, 'stdout'), join(directory, 'stderr')];
  const [logFd, errorsFd] = [openSync(log, 'a'), openSync(errors, 'a')];
  const child = owned.start({
    argv: [fileURLToPath(new URL(file, import.meta.url)), ...argv],
    nodeArguments,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', logFd, errorsFd],
  });
  closeSync(logFd);
  closeSync(errorsFd);
  const complaints = (): string => readFileSync(errors, 'utf8').slice(-SHOWN_COMPLAINTS);
  const url = await waitUntilListening(name, child, log, complaints);
  return {
    pid: child.pid ?? 0,
    host: url.hostname,
    port: Number(url.port),
    url: url.href,
    complaints,
    stop: async () => {
      const status = await owned.stop(child);
      if (graceful && status !== 0) throw new Error(`the ${name} ended with ${status ?? 'a signal'}\n${complaints()}`);
      owned.remove(directory);
    },
  };
};

/** The yardstick, bare-koa-server.ts. */
export const startBareServer = (owned: OwnedResources, secret: string): Promise<ServerProcess> =>
  startServer(owned, owned.directory(), {
    name: 'bare server',
    file: './bare-koa-server.ts',
    argv: [],
    nodeArguments: [],
    env: { BENCH_SECRET: secret },
    graceful: false,
  });

/** What a ledger is started with. */
type LedgerSettings = {
  readonly secret: string;
  /** Of a caller who sees no personal data, and of one who does. */
  readonly apiKeys: { readonly masked: string; readonly personal: string };
  /** Null: an empty one. */
  readonly dataDir: string | null;
  readonly nodeArguments: readonly string[];
  /** Without it, embedded storage. */
  readonly eventStore?: { readonly url: string; readonly streamPrefix: string };
};

/** What both API keys may. */
export const LEDGER_SCOPES = ['orders:read', 'reports:read', 'audit:read', 'statements:write', 'admin'] as const;

const SCOPES = LEDGER_SCOPES.join('+');

/** The double that stands in for an EventStoreDB server, with an empty log, which it keeps in memory. */
export const startEventStoreDbDouble = (owned: OwnedResources): Promise<ServerProcess> =>
  startServer(owned, owned.directory(), {
    name: 'EventStoreDB double',
    file: '../test/support/eventstoredb/main.ts',
    argv: [],
    nodeArguments: [],
    env: {},
    graceful: false,
  });

/** The ledger as an operator starts it, with the default log level. */
export const startLedger = (
  owned: OwnedResources,
  { secret, apiKeys, dataDir, nodeArguments, eventStore }: LedgerSettings,
): Promise<ServerProcess> => {
  const directory = owned.directory();
  return startServer(owned, directory, {
    name: 'ledger',
    file: '../src/ramp-ledger.mjs',
    argv: ['serve'],
    nodeArguments,
    env: {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir ?? join(directory, 'data'),
      WEBHOOK_SECRETS: `bench=${secret}`,
      API_KEYS: `masked:${SCOPES}=${apiKeys.masked},personal:${SCOPES}+pii:read=${apiKeys.personal}`,
      ...(eventStore === undefined
        ? {}
        : { EVENT_STORE_URL: eventStore.url, EVENT_STORE_STREAM_PREFIX: eventStore.streamPrefix }),
    },
    graceful: true,
  });
};

/** An empty ledger the tree of whose log can be held, as tree-switch.ts says, by the file `hold` in a folder. */
export const startSwitchedLedger = (owned: OwnedResources, secret: string, folder: string): Promise<ServerProcess> => {
  const directory = owned.directory();
  return startServer(owned, directory, {
    name: 'ledger',
    file: '../src/ramp-ledger.mjs',
    argv: ['serve'],
    nodeArguments: ['--import', new URL('./tree-switch.ts', import.meta.url).href],
    env: {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: join(directory, 'data'),
      WEBHOOK_SECRETS: `bench=${secret}`,
      BENCH_TREE: folder,
    },
    graceful: true,
  });
};

/** Keys for a ledger that is started. */
export const newApiKeys = (): LedgerSettings['apiKeys'] => ({
  masked: randomBytes(24).toString('base64url'),
  personal: randomBytes(24).toString('base64url'),
});
