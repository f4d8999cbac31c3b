import { write, writeSync } from 'node:fs';
import { setTimeout as after } from 'node:timers/promises';

/** Where whole lines go. */
export type LogDestination = {
  readonly write: (line: string) => void;
  /** Writes what is held before it returns, for the way out of a crash. */
  readonly flushSync: () => void;
};

export type LogDestinationOptions = {
  readonly fd: number;
  /** For a person who watches: each line is written at once. Else in batches. */
  readonly atOnce: boolean;
  /** Told of each way in which writing fails, once; the lines concerned are lost. */
  readonly onError: (error: Error) => void;
};

const BATCH_CHARACTERS = 65_536;
const LONGEST_HELD_MS = 250;

/**
 * How much is held for a reader that has stopped reading. Beyond it lines are dropped: the ledger matters more than its
 * log.
 */
const MOST_HELD_CHARACTERS = 8 * 1024 * 1024;

/**
 * A pipe can be full without blocking the write. Then we wait and try again, so many times only: the event loop waits
 * too.
 */
const FULL_PIPE_MS = 20;
const FULL_PIPE_TRIES = 50;

const isFull = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EAGAIN';

const pauseSync = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, FULL_PIPE_MS);
};

const writeWholeSync = (fd: number, bytes: Buffer): void => {
  let at = 0;
  for (let tries = 0; at < bytes.length; tries += 1) {
    try {
      at += writeSync(fd, bytes, at);
      tries = 0;
    } catch (error) {
      if (!isFull(error) || tries >= FULL_PIPE_TRIES) throw error;
      pauseSync();
    }
  }
};

const writeOnce = (fd: number, bytes: Buffer, at: number): Promise<number> =>
  new Promise((resolve, reject) => {
    write(fd, bytes, at, (error, written) => {
      if (error === null) resolve(written);
      else reject(error);
    });
  });

const writeWhole = async (fd: number, bytes: Buffer): Promise<void> => {
  for (let at = 0; at < bytes.length;) {
    try {
      at += await writeOnce(fd, bytes, at);
    } catch (error) {
      if (!isFull(error)) throw error;
      await after(FULL_PIPE_MS);
    }
  }
};

/** What is to be written at the end, of all destinations: they share one listener. */
const lastWrites = new Set<() => void>();
const atExit = (write: () => void): void => {
  if (lastWrites.size === 0) {
    process.on('exit', () => {
      for (const last of lastWrites) last();
    });
  }
  lastWrites.add(write);
};

/**
 * Lines to a file descriptor. Batches are written outside of the hot path: a line waits for 64 KiB of company, for 250
 * ms at most, and what is held at the process's exit is written then. A log that can't be written stops no ledger and
 * holds up no exit. (pino's own destination does: its flushSync tries again without end where the disk is full or the
 * reader gone.)
 */
export const logDestination = ({ fd, atOnce, onError }: LogDestinationOptions): LogDestination => {
  let held = '';
  let underWay: Promise<void> | null = null;
  const told = new Set<string>();

  const tell = (error: unknown): void => {
    const problem = error instanceof Error ? error : new Error(String(error));
    if (told.has(problem.message)) return;
    told.add(problem.message);
    onError(problem);
  };
  const takeHeld = (): Buffer => {
    const bytes = Buffer.from(held);
    held = '';
    return bytes;
  };
  const writeBatches = async (): Promise<void> => {
    do {
      await writeWhole(fd, takeHeld()).catch(tell);
    } while (held.length >= BATCH_CHARACTERS);
    underWay = null;
  };
  const flush = (): void => {
    if (held !== '') underWay ??= writeBatches();
  };
  const flushSync = (): void => {
    try {
      writeWholeSync(fd, takeHeld());
    } catch (error) {
      tell(error);
    }
  };

  if (!atOnce) setInterval(flush, LONGEST_HELD_MS).unref();
  atExit(flushSync);
  return {
    write: (line) => {
      if (held.length > MOST_HELD_CHARACTERS) return;
      held += line;
      if (atOnce) flushSync();
      else if (held.length >= BATCH_CHARACTERS) flush();
    },
    flushSync,
  };
};
