import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Program = {
  /** The JavaScript or TypeScript file, and what follows it. */
  readonly argv: readonly string[];
  readonly nodeArguments?: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stdio: StdioOptions;
};

/** The processes and directories of a run; nothing of them outlives it, however it ends. */
export type OwnedResources = {
  /** Starts a program on this Node, in a process group of its own, so that Ctrl-C reaches the run alone. */
  readonly start: (program: Program) => ChildProcess;
  /** An empty directory: in the temporary one, or beside a path that it is to be renamed to. */
  readonly directory: (beside?: string) => string;
  /** Asks a process to end; kills it after 15 s. Answers its exit status, null where a signal ended it. */
  readonly stop: (child: ChildProcess) => Promise<number | null>;
  /** Removes a directory before the end of the run, or forgets one that was renamed. */
  readonly remove: (directory: string) => void;
};

const STOP_MS = 15_000;
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const;

const signalGroup = (child: ChildProcess, signal: NodeJS.Signals): void => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    child.kill(signal);
  }
};

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** Registers the clean-up for the exit of this process and for the signals that end it. */
export const ownResources = (): OwnedResources => {
  const children = new Set<ChildProcess>();
  const directories = new Set<string>();

  const remove = (directory: string): void => {
    // Tried again, since a process that was just killed may still put a file there.
    rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
    directories.delete(directory);
  };

  process.on('exit', () => {
    for (const child of children) signalGroup(child, 'SIGKILL');
    for (const directory of directories) remove(directory);
  });
  for (const [signal, number] of Object.entries(SIGNALS)) process.on(signal, () => process.exit(128 + number));

  return {
    start: ({ argv, nodeArguments = [], env, stdio }) => {
      const child = spawn(process.execPath, [...nodeArguments, ...argv], { env, stdio, detached: true });
      children.add(child);
      child.once('exit', () => children.delete(child));
      return child;
    },
    directory: (beside) => {
      const directory = mkdtempSync(beside === undefined ? join(tmpdir(), 'ramp-ledger-bench-') : `${beside}.filling-`);
      directories.add(directory);
      return directory;
    },
    stop: async (child) => {
      if (!hasEnded(child)) {
        const exit = once(child, 'exit');
        signalGroup(child, 'SIGTERM');
        const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), STOP_MS);
        await exit;
        clearTimeout(timer);
      }
      return child.exitCode;
    },
    remove,
  };
};
