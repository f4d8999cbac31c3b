import type { LogIdentity } from '../checkpoint.ts';
import { isBegunHere } from './begun-here.ts';
import { namesOfLog } from './names-of-log.ts';
import { isRestored } from './restored-log.ts';

/** Of a log with events, under a name and key that were not made here: what they have signed may be elsewhere. */
export type UnknownPast = {
  /** Whether nothing at all is kept of what was signed: the log is held to nothing. */
  readonly isAll: boolean;
  /** Why, and what to do. */
  readonly detail: string;
};

const ACCEPT =
  "go on under another name, which contradicts nobody: ramp-ledger checkpoint --accept-loss 'what happened'";

const nothingKept = (origin: string): string =>
  `nothing here says what was signed under ${origin}, which was not made in this data directory: it has no log-keys and no checkpoints-… files. Stop the ledger, put them there from the data directory that signed last, and start; where that is gone, ${ACCEPT}`;

const RESTORED = `a backup was restored, and more may have been signed behind it than is kept in this data directory; a log that went on otherwise would contradict that. Put the checkpoints-… files there from the data directory that signed last, if they are to be had, and remove its file restored-log; else ${ACCEPT}`;

/**
 * What may have been signed under a name and key and is not kept in a data directory, if anything may: a log with events that
 * signs all the same could contradict a checkpoint that others have. Null where all is known, or where the configuration says
 * which log it is and no backup took its place. Throws where the disk fails.
 */
export const unknownPast = (dataDir: string, identity: LogIdentity): UnknownPast | null => {
  // First: whoever signs for the first time meanwhile takes this note away behind all else.
  if (isBegunHere(dataDir, identity)) return null;
  const isAll = identity.isConfigured !== true && namesOfLog(dataDir).length === 0;
  if (!isAll && !isRestored(dataDir)) return null;
  return { isAll, detail: isAll ? nothingKept(identity.origin) : RESTORED };
};
