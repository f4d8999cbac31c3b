import * as E from 'fp-ts/lib/Either.js';
import type { ArrivalsSeen } from '../../arrivals/arrivals-seen.ts';
import type { Config } from '../../config/index.ts';
import type { DataDirectorySeen } from '../../doctor/data-directory-check.ts';
import type { NotLookedAt } from '../../doctor/doctor-check.ts';
import type { LedgerFacts } from '../../doctor/doctor-checks.ts';
import type { ExaminedLog } from '../../doctor/examined-log.ts';
import type { Unanswered } from '../../doctor/unanswered-check.ts';
import type { FilesLookedAt } from './files-looked-at.ts';
import { checkpointsSeen, type KeptLog } from './look-at-checkpoints.ts';

type OfFiles = Pick<
  LedgerFacts,
  'dataDirectory' | 'disks' | 'storeInUse' | 'checkpoints' | 'spool' | 'readModels' | 'log'
>;

const notLookedAt = (code: string): NotLookedAt => ({ _tag: 'NotLookedAt', code });

/** What its permissions say, unless no file could be made in it. */
const dataDirectoryOf = (seen: DataDirectorySeen, trial: FilesLookedAt['Trial']): DataDirectorySeen => {
  const refused = E.isRight(trial) ? trial.right.unwritable : null;
  // As permissions have it, it is for another user.
  const isTold = seen._tag === 'NotWritable' && refused?.code !== 'EROFS';
  return refused === null || isTold ? seen : { _tag: 'Refuses', ...refused };
};

/** What the looks at files have found; whatever was not looked at is as it is where it can't be. */
export const factsOf = (
  { Folders: folders, Spool: spool, ReadModels: models, Trial: trial, Log: log }: FilesLookedAt,
  { readModel, eventStore }: Pick<Config, 'readModel' | 'eventStore'>,
): OfFiles => {
  const { dataDirectory, disks, storeInUse, kept } = E.isRight(folders)
    ? folders.right
    : {
        dataDirectory: notLookedAt(folders.left),
        disks: notLookedAt(folders.left),
        storeInUse: null,
        kept: { _tag: 'Unreadable', detail: folders.left, cure: null } satisfies KeptLog,
      };
  const examined: ExaminedLog = E.isRight(log)
    ? log.right.log
    : {
        _tag: 'Away',
        reason: eventStore.kind === 'sqlite' ? 'FileUnreadable' : 'ServerAway',
        detail: log.left,
        cure: null,
      };
  return {
    dataDirectory: dataDirectoryOf(dataDirectory, trial),
    disks,
    storeInUse,
    checkpoints: checkpointsSeen(kept, examined),
    spool: E.isRight(spool) ? spool.right.spool : E.left({ detail: spool.left, cure: null }),
    readModels: E.isRight(models)
      ? models.right.readModels
      : { _tag: 'Unusable', file: readModel.file, found: models.left },
    log: examined,
  };
};

/** Which checks are without what they are about, and why. */
export const unansweredOf = (
  { Folders: folders, Spool: spool, ReadModels: models, Trial: trial, Log: log }: FilesLookedAt,
  { config, arrivals }: { readonly config: Pick<Config, 'eventStore'>; readonly arrivals: ArrivalsSeen | null },
): Unanswered => {
  const told: readonly (readonly [E.Either<string, unknown>, readonly string[]])[] = [
    [trial, ['data directory']],
    [folders, ['data directory', 'checkpoints', 'disk', ...(arrivals === null ? ['deliveries'] : [])]],
    [spool, ['spool']],
    [models, ['read models']],
    [log, config.eventStore.kind === 'sqlite' ? ['event store'] : []],
  ];
  return new Map(
    told.flatMap(([found, names]) => (E.isLeft(found) ? names.map((name) => [name, found.left] as const) : [])),
  );
};
