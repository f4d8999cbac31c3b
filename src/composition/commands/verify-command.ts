import * as E from 'fp-ts/lib/Either.js';
import { failing, type CommandFailure } from '../../cli/command-failure.ts';
import { readingTrouble } from '../../cli/file-trouble.ts';
import type { VerifyReport } from '../../cli/output/verify-report.ts';
import type { Config } from '../../config/index.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { OnBuildProgress } from '../../read-models/build-progress.ts';
import { copyingShare, localLog } from '../../threads/local-log.ts';
import { verifyLedger } from '../../threads/verify-ledger.ts';
import type { DamagedFile } from '../../statements/damaged-file.ts';
import { damagedFiles } from '../kept-files.ts';
import { ledgerLocation } from '../ledger-location.ts';
import { usedByAnother } from '../read-models-lock.ts';
import { keysForThread } from '../webhook-keys.ts';
import { checkpointsToHold, holdLog } from './verify-log.ts';

type Failable<A> = Promise<E.Either<CommandFailure, A>>;

const NOTHING: VerifyReport = { events: 0, orders: 0, failures: [], unknownSecrets: 0 };

const unreadable = (detail: string): E.Either<CommandFailure, never> =>
  failing(1, `the event store can't be read: ${detail}`);

/** What is wrong with the bank files that are kept, where they are read at all. */
const bankFiles = async ({ dataDir }: Config): Failable<readonly DamagedFile[]> => {
  try {
    return E.right(await damagedFiles(dataDir));
  } catch (error) {
    return failing(1, `bank files can't be read: ${readingTrouble(error)}`);
  }
};

/** What there is to say of a log without events: it may have had some. */
export const verifyNothing = async (config: Config, checkpoint: string | null): Failable<VerifyReport> => {
  const toHold = checkpointsToHold(config, checkpoint);
  if (E.isLeft(toHold)) return toHold;
  const held = await holdLog(null, null, toHold.right);
  return E.isLeft(held) ? unreadable(held.left) : E.right({ ...NOTHING, failures: held.right });
};

/**
 * Proves the log, the read models against it, the log against every checkpoint that was kept and the one that is handed in, and the
 * bank files that are kept against their digests. Refused where the read models are another ledger's.
 */
export const verify = async (
  config: Config,
  store: EventStore,
  onProgress: OnBuildProgress,
  checkpoint: string | null,
): Failable<VerifyReport> => {
  // Who serves from the file would be found damaged, and a verdict that left it out be taken for one of the whole.
  const refused = usedByAnother(config);
  if (refused !== null) return E.left(refused);
  const toHold = checkpointsToHold(config, checkpoint);
  if (E.isLeft(toHold)) return toHold;
  const head = await store.head()();
  if (E.isLeft(head)) return unreadable(head.left.detail);
  if (head.right === null) return verifyNothing(config, checkpoint);
  const options = {
    readModelFile: config.readModel.file,
    upTo: head.right,
    secrets: keysForThread(config.secrets),
  };
  const location = ledgerLocation(config);
  const before = copyingShare(location);
  const local = await localLog(store, location, 'verify', head.right, (share, events) =>
    onProgress(share * before, events),
  );
  if (E.isLeft(local)) return unreadable(local.left.detail);
  const { log, location: at, close } = local.right;
  try {
    const report = await verifyLedger(log, store, { ...options, location: at }, (share, events) =>
      onProgress(before + share * (1 - before), events),
    );
    if (E.isLeft(report)) return unreadable(report.left);
    const held = await holdLog(log, head.right, toHold.right);
    if (E.isLeft(held)) return unreadable(held.left);
    const files = await bankFiles(config);
    if (E.isLeft(files)) return files;
    return E.right({ ...report.right, failures: [...report.right.failures, ...held.right, ...files.right] });
  } finally {
    await close();
  }
};
