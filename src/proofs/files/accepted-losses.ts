import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOwnFile } from '../../files/own-file.ts';
import * as t from 'io-ts';
import { parseNatively } from '../../domain/parse-json.ts';
import { InstantText, type Instant } from '../../domain/instant.ts';
import { durably } from './durably.ts';

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

/** Where accepted losses are kept, one a line. */
export const lossesFile = (dataDir: string): string => join(dataDir, 'accepted-losses');

/** The losses that were accepted, oldest first. A line that is cut off was never acted upon. Throws where the disk fails. */
export const readLosses = (dataDir: string): readonly AcceptedLoss[] => {
  const file = lossesFile(dataDir);
  if (!existsSync(file)) return [];
  return readOwnFile(file)
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
  return existsSync(file) ? readOwnFile(file) : null;
};

/** Forgets that it was asked for. */
export const endRequest = (dataDir: string): void => rmSync(requestFile(dataDir), { force: true });
