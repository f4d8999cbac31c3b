import { randomBytes } from 'node:crypto';
import { constants, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { SqliteLocation } from '../src/event-store/sqlite/sqlite-event-store.ts';
import { FillAnswer, FillingCodec, type FillOrder } from './fill-order.ts';
import type { Filling, Steps } from './ledger-filler.ts';
import type { OwnedResources } from './owned-resources.ts';

/** A ledger that benchmarks are run on: an event store without read models. */
export type FilledLedger = {
  readonly location: SqliteLocation;
  readonly filling: Filling;
  readonly events: number;
  /** Removes it; a kept one stays. */
  readonly remove: () => void;
};

/** How a benchmark comes by its ledger. */
export type LedgerSource = {
  readonly orders: number;
  readonly steps: Steps;
  /** Fills this directory, which must not be there, and leaves it; null: a temporary one. */
  readonly keep: string | null;
  /** A directory that was kept, in place of filling one. */
  readonly data: string | null;
};

/** Written when a directory is filled to its end. */
const Mark = t.type({ filling: FillingCodec, events: t.number });

const MARK = 'bench.json';
const EVENTS = 'events.db';
const PROGRAM = fileURLToPath(new URL('./fill-process.ts', import.meta.url));
/**
 * The orders are created within this time, so that reports and lists over months and years have something to choose
 * from.
 */
const SPAN_MS = 730 * 86_400_000;

const locationIn = (dataDir: string): SqliteLocation => ({ dataDir, file: join(dataDir, EVENTS) });

const filledBy = (owned: OwnedResources, order: FillOrder): Promise<number> =>
  new Promise((answered, reject) => {
    const child = owned.start({
      argv: [PROGRAM, JSON.stringify(order)],
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.once('exit', () => reject(new Error('the ledger could not be filled')));
    child.once('message', (message: unknown) => {
      const answer = FillAnswer.decode(message);
      child.disconnect();
      if (E.isRight(answer)) answered(answer.right.events);
      else reject(new Error('the filling process answered something that is not in the protocol'));
    });
  });

const filled = async (
  owned: OwnedResources,
  directory: string,
  { orders, steps }: LedgerSource,
  note: (line: string) => void,
): Promise<FilledLedger> => {
  const until = Date.now();
  const filling = { orders, steps, run: randomBytes(16).toString('hex'), from: until - SPAN_MS, until };
  const location = locationIn(directory);
  note(`filling a ledger with ${orders} orders`);
  const start = performance.now();
  const events = await filledBy(owned, { location, filling });
  const mib = Math.round(statSync(location.file).size / 1_048_576);
  note(`filled with ${events} events in ${((performance.now() - start) / 1000).toFixed(1)} s, ${mib} MiB`);
  return { location, filling, events, remove: () => owned.remove(directory) };
};

const kept = (directory: string): FilledLedger => {
  const file = join(directory, MARK);
  if (!existsSync(file)) throw new Error(`${directory} is no directory that a benchmark has kept`);
  const mark = Mark.decode(JSON.parse(readFileSync(file, 'utf8')));
  if (E.isLeft(mark)) throw new Error(`${file} is of another version: fill a new directory with --keep`);
  return { location: locationIn(directory), ...mark.right, remove: () => undefined };
};

/** It appears under its name when it is whole. */
const keepFilled = async (
  owned: OwnedResources,
  directory: string,
  source: LedgerSource,
  note: (line: string) => void,
): Promise<FilledLedger> => {
  if (existsSync(directory)) throw new Error(`${directory} is there already: give --data ${directory} to use it`);
  if (!existsSync(dirname(directory))) throw new Error(`${dirname(directory)} is not there`);
  const unfinished = owned.directory(directory);
  const { filling, events } = await filled(owned, unfinished, source, note);
  writeFileSync(join(unfinished, MARK), `${JSON.stringify({ filling, events })}\n`);
  renameSync(unfinished, directory);
  owned.remove(unfinished);
  return kept(directory);
};

/** A ledger to read from; a kept one stays as it is. */
export const filledLedger = async (
  owned: OwnedResources,
  source: LedgerSource,
  note: (line: string) => void,
): Promise<FilledLedger> => {
  if (source.data !== null) return kept(resolve(source.data));
  if (source.keep !== null) return keepFilled(owned, resolve(source.keep), source, note);
  return filled(owned, owned.directory(), source, note);
};

/**
 * A ledger to write to: a copy of a kept one. It is on the disk, so that nothing of it is still being written later.
 */
export const writableLedger = async (
  owned: OwnedResources,
  source: LedgerSource,
  note: (line: string) => void,
): Promise<FilledLedger> => {
  const ledger = await filledLedger(owned, source, note);
  if (source.data === null && source.keep === null) return ledger;
  const directory = owned.directory();
  const location = locationIn(directory);
  note('copying the kept ledger');
  await copyFile(ledger.location.file, location.file, constants.COPYFILE_FICLONE);
  const copy = await open(location.file, 'r+');
  await copy.sync();
  await copy.close();
  return { ...ledger, location, remove: () => owned.remove(directory) };
};
