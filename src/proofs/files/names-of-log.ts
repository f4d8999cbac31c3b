import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readOwnFile } from '../../files/own-file.ts';
import { readLosses } from './accepted-losses.ts';
import { isCheckpointsFile, keptIn } from './kept-checkpoints.ts';
import { readLogKeys } from './log-keys.ts';

/** The name under which the checkpoints of a file were signed; null where it holds none. One line is read where none is damaged. */
const nameIn = (file: string): string | null => {
  for (const line of readOwnFile(file).split('\n')) {
    const kept = keptIn(line);
    if (kept !== null) return kept.origin;
  }
  return null;
};

/** The names whose checkpoints are kept: that of a file can't be told from its own name. */
const namesOfCheckpoints = (dataDir: string): readonly string[] => {
  if (!existsSync(dataDir)) return [];
  const files = readdirSync(dataDir).filter(isCheckpointsFile).toSorted();
  return files.flatMap((file) => nameIn(join(dataDir, file)) ?? []);
};

/**
 * The names that the log in a data directory has had: those that something was signed under, by the keys that are kept and by
 * the checkpoints, either of which may be lost alone, and those that it went on under behind a loss. Those of keys come first, in
 * the order in which they signed last. Throws where the disk fails.
 */
export const namesOfLog = (dataDir: string): readonly string[] => [
  ...new Set([
    ...readLogKeys(dataDir).map(({ name }) => name),
    ...readLosses(dataDir).map(({ to }) => to),
    ...namesOfCheckpoints(dataDir),
  ]),
];

/** All names that there is a trace of, those that have ended too. Throws where the disk fails. */
export const namesMet = (dataDir: string): readonly string[] => [
  ...namesOfLog(dataDir),
  ...readLosses(dataDir).map(({ from }) => from),
];
