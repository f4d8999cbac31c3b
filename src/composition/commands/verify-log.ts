import * as E from 'fp-ts/lib/Either.js';
import { failing, type CommandFailure } from '../../cli/command-failure.ts';
import { fileBytes } from '../../cli/file-bytes.ts';
import { readingTrouble } from '../../cli/file-trouble.ts';
import type { Config } from '../../config/index.ts';
import type { Position } from '../../domain/ids.ts';
import type { PartedLog } from '../../event-store/parted-log.ts';
import { logVerifiers, type Checkpoint } from '../../proofs/checkpoint.ts';
import { readLosses } from '../../proofs/files/accepted-losses.ts';
import { goneCheckpoints } from '../../proofs/files/gone-files.ts';
import { checkpointsOfOtherNames } from '../../proofs/files/held-names.ts';
import { unknownPast } from '../../proofs/files/unknown-past.ts';
import { readCheckpoints } from '../../proofs/files/kept-checkpoints.ts';
import { nameOfLog, readLogKeys } from '../../proofs/files/log-keys.ts';
import { handedInCheckpoint } from '../../proofs/handed-in-checkpoint.ts';
import { withoutSpoiled } from '../../proofs/spoiled-checkpoints.ts';
import { checkpointFailure, CheckpointHolder, type CheckpointFailure } from '../../proofs/hold-to-checkpoints.ts';

/** The checkpoints that a log is held to, and what is wrong with those that are none of it. */
type Held = {
  readonly checkpoints: readonly Checkpoint[];
  readonly failures: readonly CheckpointFailure[];
  /** What is wrong with a log with events that is held to nothing though it may have been signed; null: nothing is. */
  readonly unknown: CheckpointFailure | null;
};

/** A note is some lines of text. */
const MOST_NOTE_BYTES = 65_536;

/** All that the ledger kept, under other names that have not ended too, and the one in a file where one is handed in. */
export const checkpointsToHold = (
  { logIdentity, dataDir }: Config,
  file: string | null,
): E.Either<CommandFailure, Held> => {
  try {
    const origin = nameOfLog(dataDir, logIdentity);
    if (origin === null) {
      return file === null
        ? E.right({ checkpoints: [], failures: [], unknown: null })
        : failing(1, 'this ledger has signed no checkpoint yet');
    }
    const keys = [...(logIdentity === null ? [] : logVerifiers(logIdentity)), ...readLogKeys(dataDir)];
    const all = [...readCheckpoints(dataDir, origin), ...checkpointsOfOtherNames(dataDir, origin)];
    const { whole: kept, failures: spoiled } = withoutSpoiled(all, keys);
    const gone = goneCheckpoints(dataDir, origin);
    const failures = [...spoiled, ...(gone === null ? [] : [checkpointFailure('checkpoints-gone', gone)])];
    const past = logIdentity === null ? null : unknownPast(dataDir, logIdentity);
    const unknown = past?.isAll === true ? checkpointFailure('checkpoints-gone', past.detail) : null;
    if (file === null) return E.right({ checkpoints: kept, failures, unknown });
    const note = fileBytes(file, MOST_NOTE_BYTES);
    if (E.isLeft(note)) return failing(2, `a checkpoint can't be read: ${note.left.line}`);
    const handedIn = handedInCheckpoint(note.right.toString(), { origin, keys, losses: readLosses(dataDir) });
    return E.right(
      E.isRight(handedIn)
        ? { checkpoints: [...kept, handedIn.right], failures, unknown: null }
        : { checkpoints: kept, failures: [...failures, handedIn.left], unknown },
    );
  } catch (error) {
    return failing(2, `a checkpoint can't be read: ${readingTrouble(error)}`);
  }
};

/** Holds the log up to a position to checkpoints; null: it is empty. A Left says why it can't be read. */
export const holdLog = async (
  log: Pick<PartedLog, 'readHeaders'> | null,
  upTo: Position | null,
  { checkpoints, failures, unknown }: Held,
): Promise<E.Either<string, readonly CheckpointFailure[]>> => {
  const holder = new CheckpointHolder(checkpoints);
  if (log !== null && upTo !== null && checkpoints.length > 0) {
    for await (const page of log.readHeaders(null, upTo)) {
      if (E.isLeft(page)) return E.left(page.left.detail);
      for (const event of page.right) holder.add(event);
    }
  }
  const none = unknown === null || upTo === null ? [] : [unknown];
  return E.right([...failures, ...none, ...holder.failures()]);
};
