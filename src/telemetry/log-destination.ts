import { setTimeout as after } from 'node:timers/promises';
import { inTime } from '../concurrency/in-time.ts';
import { linesIn, LostLineCount, type LostLines } from './lost-lines.ts';
import { WriteCall } from './write-call.ts';
import { isFull, writeWithin } from './write-within.ts';

/** Where whole lines go. */
export type LogDestination = {
  readonly write: (line: string) => void;
  /** How many lines were lost so far: nobody took them in time, or they could not be written. */
  readonly lost: () => number;
  /** Writes what is held; resolves when it is written or lost, or its reader or disk has not taken it within a second. */
  readonly flush: () => Promise<void>;
};

export type LogDestinationOptions = {
  readonly fd: number;
  /** For a person who watches: no line waits for others. Else in batches. */
  readonly atOnce: boolean;
  /** Told of each way in which writing fails, once; the lines concerned are lost. */
  readonly onError: (error: Error) => void;
  /** Makes the line that tells of lines that were lost, which is written with the next that are; empty: it is not told. */
  readonly lossLine: (lost: LostLines) => string;
  /** The time as lines have it. */
  readonly now: () => string;
};

/** At the end of the process nobody waits longer. */
const WRITTEN_WITHIN_MS = 1_000;

const BATCH_CHARACTERS = 65_536;
const LONGEST_HELD_MS = 250;

/**
 * How much is held for a reader that has stopped reading. Beyond it lines are dropped and counted: the ledger matters more
 * than its log.
 */
const MOST_HELD_CHARACTERS = 8 * 1024 * 1024;

/** A pipe can be full without blocking the write: it is tried again behind so long. */
const FULL_PIPE_MS = 20;

/** Bytes that are being written, and how many of them were taken. From `linesEnd` on they tell of lines that were lost before. */
type Batch = { readonly bytes: Buffer; readonly linesEnd: number; readonly told: LostLines | null; at: number };

const writeWhole = async (call: WriteCall, batch: Batch): Promise<void> => {
  while (batch.at < batch.bytes.length) {
    try {
      batch.at += await call.once(batch.bytes, batch.at);
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
 * Lines to a file descriptor. Batches are written outside of the hot path, and never by the thread that writes lines: a line
 * waits for 64 KiB of company, for 250 ms at most, and what is held at the process's exit is written then. A log that can't
 * be written, or whose writes don't return, stops no ledger and holds up no exit. (pino's own destination does: its flushSync
 * tries again without end where the disk is full or the reader gone.)
 */
export const logDestination = ({ fd, atOnce, onError, lossLine, now }: LogDestinationOptions): LogDestination => {
  let held = '';
  let underWay: Promise<void> | null = null;
  let batch: Batch | null = null;
  const call = new WriteCall(fd);
  const lost = new LostLineCount(now);
  const complained = new Set<string>();

  const tell = (error: unknown): void => {
    const problem = error instanceof Error ? error : new Error(String(error));
    if (complained.has(problem.message)) return;
    complained.add(problem.message);
    onError(problem);
  };
  /** What is held, and behind it what is to be told of lines that were lost. */
  const takeHeld = (): Batch => {
    const told = lost.take();
    const lines = Buffer.from(held);
    held = '';
    const bytes = told === null ? lines : Buffer.concat([lines, Buffer.from(lossLine(told))]);
    return { bytes, linesEnd: lines.length, told, at: 0 };
  };
  const lose = ({ bytes, linesEnd, told, at }: Batch): void => {
    lost.lose(linesIn(bytes.subarray(at, Math.max(at, linesEnd))));
    if (told !== null) lost.putBack(told);
  };
  const isDue = (): boolean => (atOnce ? held !== '' : held.length >= BATCH_CHARACTERS);
  const writeBatches = async (): Promise<void> => {
    do {
      const taken = takeHeld();
      batch = taken;
      await writeWhole(call, taken).catch((error: unknown) => {
        lose(taken);
        tell(error);
      });
      batch = null;
    } while (isDue());
    underWay = null;
  };
  const begin = (): void => {
    if (held !== '') underWay ??= writeBatches();
  };
  const drain = async (): Promise<void> => {
    begin();
    if (underWay === null) return;
    await underWay;
    await drain();
  };
  const flush = async (): Promise<void> => {
    if (call.isStuck) return;
    if ((await inTime(WRITTEN_WITHIN_MS, drain(), 'late')) === 'late') call.giveUp();
  };
  /** What of a batch nobody has taken yet, as far as that is known: where no call is at it. */
  const takeRest = (): Buffer => {
    const rest = batch === null || call.isUnderWay ? Buffer.alloc(0) : batch.bytes.subarray(batch.at);
    batch = null;
    return rest;
  };
  const writeLast = (): void => {
    if (call.isStuck) return;
    try {
      // Behind half a line nothing else may follow: both would be lost to whoever reads lines.
      const bytes = Buffer.concat([takeRest(), takeHeld().bytes]);
      const lines = linesIn(bytes.subarray(writeWithin(WRITTEN_WITHIN_MS, fd, bytes)));
      lost.lose(lines);
      if (lines > 0) tell(new Error(`nobody took its last lines within a second; lost: ${lines}`));
    } catch (error) {
      tell(error);
    }
  };

  if (!atOnce) setInterval(begin, LONGEST_HELD_MS).unref();
  atExit(writeLast);
  return {
    write: (line) => {
      if (held.length > MOST_HELD_CHARACTERS) {
        lost.lose(1);
        return;
      }
      held += line;
      if (isDue()) begin();
    },
    lost: () => lost.total,
    flush,
  };
};
