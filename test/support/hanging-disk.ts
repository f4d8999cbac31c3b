import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { LedgerEnvironment } from './ledger-process.ts';
import { until } from './until.ts';

const HANG_AT_COMMIT = fileURLToPath(new URL('hang-at-commit.cjs', import.meta.url));
const HEARD_WITHIN_MS = 5_000;

/** A disk whose answers to a ledger's commits, or to one thread, can be kept back. */
export type HangingDisk = {
  /** What the ledger has to have in its environment. */
  readonly env: LedgerEnvironment;
  /** From now on a commit stands in a call of the system. */
  readonly hang: () => void;
  /** Commits are carried out again, the one that stands first. */
  readonly answer: () => Promise<void>;
};

/** Opens a pipe for writing, which nobody may be waiting for yet; null where nobody does. */
const opened = (pipe: string): number | null => {
  try {
    return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
};

/**
 * No compiler is needed, and nothing of the ledger knows of it: opening a pipe for reading stands in the system until somebody
 * opens it for writing, and no thread that stands there can be ended.
 *
 * @param pipe a path where nothing is yet
 * @param under the name of the file under which it hangs; or of the thread that stands at whatever it prepares, for which nothing
 * else hangs
 */
export const hangingDisk = (
  pipe: string,
  under: 'events.db' | 'spool.db' | { readonly thread: string },
): HangingDisk => ({
  env: {
    NODE_OPTIONS: `--require ${HANG_AT_COMMIT}`,
    HANGING_DISK: pipe,
    ...(typeof under === 'string' ? { HANGING_FILE: under } : { HANGING_THREAD: under.thread }),
  },
  hang: () => {
    execFileSync('mkfifo', [pipe]);
  },
  answer: async () => {
    const writing = await until(HEARD_WITHIN_MS, 'a thread to stand', () => Promise.resolve(opened(pipe)));
    rmSync(pipe);
    closeSync(writing);
  },
});
