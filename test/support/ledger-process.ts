import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { within } from './within.ts';

/** The environment of a ledger, beside what every process needs. */
export type LedgerEnvironment = Readonly<Record<string, string>>;

/** How a process ended: by itself with a status, or by a signal. */
type Ended = { readonly status: number | null; readonly signal: NodeJS.Signals | null };

/** A command that has ended, and what it wrote. */
export type Finished = Ended & { readonly out: string; readonly err: string };

/** A ledger that serves. */
export type LedgerProcess = {
  /** Where it answers. */
  readonly url: string;
  /** Sends a signal to it; one that comes after its end changes nothing. */
  readonly signal: (name: NodeJS.Signals) => void;
  /** Sends a signal to it and to all that it started, as a terminal does. */
  readonly signalAll: (name: NodeJS.Signals) => void;
  /** Resolves when it has ended and all that it wrote is here. */
  readonly finished: Promise<Finished>;
  /** What it wrote so far. */
  readonly out: () => string;
  readonly err: () => string;
};

type ServeOptions = {
  /** No file that it writes may grow beyond this: in bytes, a multiple of 512. */
  readonly largestFileBytes?: number;
  /** How many files it may have open at once, connections among them. */
  readonly openFiles?: number;
  /** How much data it may set aside, in KiB. */
  readonly dataKiB?: number;
};

/** The processes of a test. Each has a process group of its own, so that nothing of it outlives the test. */
export type LedgerProcesses = {
  /** Starts `ramp-ledger serve` on a free port of 127.0.0.1 and waits until it is listening. */
  readonly serve: (env: LedgerEnvironment, options?: ServeOptions) => Promise<LedgerProcess>;
  /** Starts `ramp-ledger sandbox` with further arguments, in the same way. */
  readonly sandbox: (args: readonly string[], env: LedgerEnvironment) => Promise<LedgerProcess>;
  /** Starts `npm run` with one of these and waits until its ledger is listening. The process that is told signals is npm. */
  readonly script: (name: 'start' | 'demo', env: LedgerEnvironment) => Promise<LedgerProcess>;
  /** Runs `ramp-ledger` with other arguments, or a start that is to fail, to its end. */
  readonly run: (args: readonly string[], env: LedgerEnvironment) => Promise<Finished>;
  /** Begins `ramp-ledger` with other arguments, for a test that ends it. */
  readonly begin: (args: readonly string[], env: LedgerEnvironment) => Pick<LedgerProcess, 'signal' | 'finished'>;
  /** Kills what is left. */
  readonly endAll: () => Promise<void>;
};

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = fileURLToPath(new URL('../../src/ramp-ledger.mjs', import.meta.url));
const START_MS = 15_000;
const COMMAND_MS = 20_000;
const FILE_SIZE_UNIT = 512;

/** docs/spec/configuration.md, Listening: the line that is printed at every log level. */
const ListeningLine = t.type({ msg: t.literal('listening'), url: t.string });

const listeningUrl = (out: string): string | null => {
  for (const line of out.split('\n')) {
    if (!line.includes('"listening"') || !line.endsWith('}')) continue;
    const decoded = ListeningLine.decode(JSON.parse(line));
    if (E.isRight(decoded)) return decoded.right.url;
  }
  return null;
};

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

const kill = (child: ChildProcess, pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    child.kill(signal);
  }
};

const killGroup = (child: ChildProcess): void => {
  if (child.pid !== undefined && !hasEnded(child)) kill(child, -child.pid, 'SIGKILL');
};

type Collected = { readonly child: ChildProcess; out: string; err: string; readonly finished: Promise<Finished> };

const collected = (child: ChildProcess): Collected => {
  const finished = once(child, 'close').then(() => ({
    status: child.exitCode,
    signal: child.signalCode,
    out: all.out,
    err: all.err,
  }));
  const all: Collected = { child, out: '', err: '', finished };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (all.out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (all.err += text));
  return all;
};

const signalTo =
  ({ child }: Collected): LedgerProcess['signal'] =>
  (name) => {
    if (child.pid !== undefined && !hasEnded(child)) kill(child, child.pid, name);
  };

const signalToAll =
  ({ child }: Collected): LedgerProcess['signalAll'] =>
  (name) => {
    if (child.pid !== undefined && !hasEnded(child)) kill(child, -child.pid, name);
  };

const listening = (started: Collected): Promise<string> =>
  new Promise((resolve, reject) => {
    started.child.stdout?.on('data', () => {
      const url = listeningUrl(started.out);
      if (url !== null) resolve(url);
    });
    started.child.once('close', () => reject(new Error(`the process ended before it was listening\n${started.err}`)));
  });

/** Of all holders of this process: they share one listener to its end, however many suites it runs. */
const everyRunning = new Set<Collected>();
process.once('exit', () => {
  for (const { child } of everyRunning) killGroup(child);
});

/**
 * A holder of processes; `endAll` belongs into an `afterEach`. Nothing that is configured on the machine that runs the
 * tests reaches them.
 *
 * @param shared what each process has in its environment
 */
export const ledgerProcesses = (shared: () => LedgerEnvironment): LedgerProcesses => {
  const running = new Set<Collected>();

  const start = (command: string, args: readonly string[], env: LedgerEnvironment): Collected => {
    const all = { PATH: process.env['PATH'], ...shared(), ...env };
    const child = spawn(command, args, { env: all, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const started = collected(child);
    for (const holder of [running, everyRunning]) {
      holder.add(started);
      child.once('close', () => holder.delete(started));
    }
    return started;
  };

  const listeningProcess = async (started: Collected): Promise<LedgerProcess> => {
    const url = await within(START_MS, listening(started), 'a process to be listening');
    return {
      url,
      signal: signalTo(started),
      signalAll: signalToAll(started),
      finished: started.finished,
      out: () => started.out,
      err: () => started.err,
    };
  };

  return {
    serve: (env, { largestFileBytes, openFiles, dataKiB } = {}) => {
      const all = { HOST: '127.0.0.1', PORT: '0', ...env };
      const limits = [
        ...(largestFileBytes === undefined ? [] : [`ulimit -f ${largestFileBytes / FILE_SIZE_UNIT}`]),
        ...(openFiles === undefined ? [] : [`ulimit -n ${openFiles}`]),
        ...(dataKiB === undefined ? [] : [`ulimit -d ${dataKiB}`]),
      ];
      const node = [process.execPath, MAIN, 'serve'];
      const limited = ['-c', [...limits, 'exec "$0" "$@"'].join(' && '), ...node];
      const started = limits.length === 0 ? start(process.execPath, node.slice(1), all) : start('sh', limited, all);
      return listeningProcess(started);
    },
    sandbox: (args, env) => {
      const all = { HOST: '127.0.0.1', PORT: '0', ...env };
      return listeningProcess(start(process.execPath, [MAIN, 'sandbox', ...args], all));
    },
    script: (name, env) => {
      // What npm would write of itself belongs into no home directory.
      const all = { npm_config_logs_max: '0', npm_config_update_notifier: 'false', ...env };
      return listeningProcess(start('npm', ['--prefix', ROOT, 'run', name], all));
    },
    run: (args, env) => {
      const started = start(process.execPath, [MAIN, ...args], env);
      return within(COMMAND_MS, started.finished, `ramp-ledger ${args.join(' ')} to end`);
    },
    begin: (args, env) => {
      const started = start(process.execPath, [MAIN, ...args], env);
      return { signal: signalTo(started), finished: started.finished };
    },
    endAll: async () => {
      for (const { child } of running) killGroup(child);
      await Promise.all([...running].map(({ finished }) => finished));
    },
  };
};
