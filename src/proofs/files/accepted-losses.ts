import { existsSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import * as t from 'io-ts';
import { parseNatively } from '../../domain/parse-json.ts';
import { InstantText, type Instant } from '../../domain/instant.ts';
import { isGeneratedOrigin, newOrigin } from '../generated-origin.ts';
import { durably, durablyNamed } from './durably.ts';
import { readCheckpoints } from './kept-checkpoints.ts';

/** That somebody knows that a log has lost events which a checkpoint was signed with, and goes on under another name. */
export type AcceptedLoss = {
  readonly at: Instant;
  /** What they say about it. */
  readonly note: string;
  /** The name of the log that ended, and of the one that began. */
  readonly from: string;
  readonly to: string;
  /** How many events the last checkpoint of the one that ended has. */
  readonly size: number;
};

const Loss = t.type({ at: InstantText, note: t.string, from: t.string, to: t.string, size: t.number });

const fileOf = (dataDir: string): string => join(dataDir, 'accepted-losses');

/** The losses that were accepted, oldest first. A line that is cut off was never acted upon. Throws where the disk fails. */
export const readLosses = (dataDir: string): readonly AcceptedLoss[] => {
  const file = fileOf(dataDir);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .map(parseNatively)
    .filter((read): read is AcceptedLoss & NonNullable<typeof read> => Loss.is(read));
};

/** The name that a log goes by now, which began under another one. */
export const originNow = (dataDir: string, origin: string): string => {
  let now = origin;
  // Each loss was accepted once, behind those before it.
  for (const { from, to } of readLosses(dataDir)) if (from === now) now = to;
  return now;
};

/** A name that nothing was signed under, for the log that begins after a loss: as new as the first one where that was generated, else counted. */
const nextOrigin = (dataDir: string, from: string, random: (count: number) => Buffer): string => {
  if (isGeneratedOrigin(from)) return newOrigin(random);
  const before = readLosses(dataDir).find(({ to }) => to === from);
  const counted = before === undefined ? null : /^(.*)\/(\d+)$/.exec(from);
  const [name, last] = counted === null ? [from, 1] : [counted[1] ?? from, Number(counted[2])];
  let next = last + 1;
  // Somebody may have given the log such a name for a while: under it another tree would be another log of one name.
  while (readCheckpoints(dataDir, `${name}/${next}`).length > 0) next += 1;
  return `${name}/${next}`;
};

/** The file of a generated name says the one of now. */
const renameLog = (dataDir: string, from: string, to: string): void => {
  const file = join(dataDir, 'origin');
  if (!existsSync(file) || readFileSync(file, 'utf8').trimEnd() !== from) return;
  const draft = `${file}.draft`;
  durably(draft, 'w', (handle) => writeFileSync(handle, `${to}\n`));
  renameSync(draft, file);
};

/**
 * Accepts a loss: durable when this returns. Its answer is the name of the log that begins. Throws where the disk fails.
 *
 * @param others what was signed last under other names that end with it
 */
export const acceptLoss = (
  dataDir: string,
  loss: Omit<AcceptedLoss, 'to'>,
  random: (count: number) => Buffer,
  others: readonly { readonly origin: string; readonly size: number }[] = [],
): AcceptedLoss => {
  const accepted = { ...loss, to: nextOrigin(dataDir, loss.from, random) };
  const { at, note, from, to, size } = accepted;
  const ended = [{ origin: from, size }, ...others];
  // A line that was cut off is ended by the first of these.
  durablyNamed(dataDir, fileOf(dataDir), (handle) => {
    const lines = ended.map((log) => JSON.stringify({ at, note, from: log.origin, to, size: log.size }));
    writeSync(handle, `\n${lines.join('\n')}\n`);
  });
  renameLog(dataDir, from, to);
  return accepted;
};

const requestFile = (dataDir: string): string => join(dataDir, 'accept-loss-request');

/** Asks the ledger that serves a data directory to accept a loss: it alone writes there. */
export const requestAcceptance = (dataDir: string, note: string): void => {
  const draft = `${requestFile(dataDir)}.draft`;
  durably(draft, 'w', (handle) => writeFileSync(handle, note));
  renameSync(draft, requestFile(dataDir));
};

/** The note of who asked for it; null where nobody did. */
export const requestedAcceptance = (dataDir: string): string | null => {
  const file = requestFile(dataDir);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
};

/** Forgets that it was asked for. */
export const endRequest = (dataDir: string): void => rmSync(requestFile(dataDir), { force: true });
