import { existsSync } from 'node:fs';
import { isGeneratedOrigin, newOrigin } from '../generated-origin.ts';
import { readLosses } from './accepted-losses.ts';
import { checkpointsFile } from './kept-checkpoints.ts';
import { namesMet } from './names-of-log.ts';

const BYTES = 8;

/** What was put behind a name for a log that began after a loss: digits of chance, and in earlier versions a count. */
const BEGUN = /^(.+)\/(?:[0-9a-f]{16}|\d+)$/;

/** More than once the same by chance is no chance. */
const TRIES = 8;

/** The configured name that a log had before any loss. */
const firstName = (dataDir: string, name: string): string => {
  const hasBegun = readLosses(dataDir).some(({ to }) => to === name);
  return hasBegun ? (BEGUN.exec(name)?.[1] ?? name) : name;
};

/**
 * A name that nothing was ever signed under, for the log that begins after a loss: as new as the first one where that was
 * generated, else the configured one with digits of chance behind it. They are not counted: what a name was counted from may be
 * lost too, as files of checkpoints are, or be older, as in a data directory that was put back. Two trees under one name
 * would convict the ledger of what it did not do. None that there is any trace of is taken all the same. Throws where the
 * disk fails, or where chance gives the same again and again.
 */
export const nextOrigin = (dataDir: string, from: string, random: (count: number) => Buffer): string => {
  const [met, first] = [new Set(namesMet(dataDir)), firstName(dataDir, from)];
  for (let tries = 0; tries < TRIES; tries += 1) {
    const name = isGeneratedOrigin(from) ? newOrigin(random) : `${first}/${random(BYTES).toString('hex')}`;
    if (!met.has(name) && !existsSync(checkpointsFile(dataDir, name))) return name;
  }
  throw new Error('no name was found that nothing was signed under');
};
