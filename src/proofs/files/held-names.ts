import { readLosses } from './accepted-losses.ts';
import { readCheckpoints, type KeptCheckpoint } from './kept-checkpoints.ts';
import { namesOfLog } from './names-of-log.ts';

/**
 * The other names that the log in a data directory has had, and that have not ended by an accepted loss, in the order in which
 * they signed last. The log is held to what was signed under them too: whoever kept a checkpoint of a former name still has
 * it, and with another one the log could else lose events and nobody here would hear of it. Throws where the disk fails.
 */
export const otherHeldNames = (dataDir: string, origin: string): readonly string[] => {
  const ended = new Set(readLosses(dataDir).map(({ from }) => from));
  return namesOfLog(dataDir).filter((name) => name !== origin && !ended.has(name));
};

/** All checkpoints of other names that a log is held to. Throws where the disk fails, or a file is damaged. */
export const checkpointsOfOtherNames = (dataDir: string, origin: string): readonly KeptCheckpoint[] =>
  otherHeldNames(dataDir, origin).flatMap((name) => readCheckpoints(dataDir, name));

/** The newest checkpoint of each other name that a log is held to. Throws where the disk fails, or a file is damaged. */
export const newestOfOtherNames = (dataDir: string, origin: string): readonly KeptCheckpoint[] =>
  otherHeldNames(dataDir, origin).flatMap((name) => readCheckpoints(dataDir, name).at(-1) ?? []);
