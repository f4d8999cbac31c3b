import * as E from 'fp-ts/lib/Either.js';
import { failing, type CommandFailure } from '../../cli/command-failure.ts';
import { wait } from '../../concurrency/wait.ts';
import type { Config } from '../../config/index.ts';
import { comparePositions } from '../../domain/position.ts';
import { troubleLine } from '../../domain/trouble.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { lockDataDir } from '../../event-store/sqlite/sqlite-event-store.ts';
import type { LogIdentity } from '../../proofs/checkpoint.ts';
import { readCheckpoints, type KeptCheckpoint } from '../../proofs/files/kept-checkpoints.ts';
import { TreeFiles } from '../../proofs/files/tree-files.ts';
import { LogKeeper, treeFolder, type KeeperNews } from '../../proofs/log-keeper.ts';
import { systemClock } from '../../telemetry/system-clock.ts';

type Failable<A> = Promise<E.Either<CommandFailure, A>>;

/** A ledger that serves signs what is committed within about a second. */
const LOOKS = 60;
const BETWEEN_LOOKS_MS = 100;

/** The newest checkpoint that a serving ledger has kept, once it includes the head of now. */
const signedByServing = async (
  { dataDir }: Config,
  { origin }: LogIdentity,
  store: Pick<EventStore, 'head'>,
): Failable<KeptCheckpoint> => {
  const head = await store.head()();
  if (E.isLeft(head)) return failing(1, `the event store can't be read: ${head.left.detail}`);
  for (let look = 0; look < LOOKS; look += 1) {
    const newest = readCheckpoints(dataDir, origin).at(-1);
    if (newest !== undefined) {
      if (newest.size === 0 && head.right === null) return E.right(newest);
      const files = new TreeFiles(treeFolder(dataDir), 'read');
      try {
        const last = newest.size === 0 ? null : files.positionOf(newest.size - 1);
        if (comparePositions(last, head.right) >= 0) return E.right(newest);
      } finally {
        files.close();
      }
    }
    await wait(BETWEEN_LOOKS_MS);
  }
  return failing(
    1,
    'the serving ledger has not signed its last events; its log says why, and so does ramp-ledger verify',
  );
};

/** Signs the log as it is, while nobody serves. */
const signedHere = async (
  { dataDir }: Config,
  identity: LogIdentity,
  store: Pick<EventStore, 'readAll' | 'readAt'>,
): Failable<KeptCheckpoint> => {
  const told: KeeperNews[] = [];
  const keeper = new LogKeeper({ dataDir, identity, store, now: systemClock(), tell: (news) => told.push(news) });
  await keeper.start();
  await keeper.close();
  const last = told.at(-1);
  const newest = readCheckpoints(dataDir, identity.origin).at(-1);
  if (last?._tag === 'LogSigned' && newest !== undefined) return E.right(newest);
  const why = last === undefined || last._tag === 'LogSigned' ? 'nothing was signed' : last.detail;
  return failing(1, last?._tag === 'LogLost' ? `${why}; nothing is signed: run ramp-ledger verify` : why);
};

/** The signed checkpoint of all events of now: the serving ledger's, or, where none serves, one that is signed here. */
export const signCheckpoint = async (
  config: Config,
  store: Pick<EventStore, 'head' | 'readAll' | 'readAt'>,
): Failable<KeptCheckpoint> => {
  const { logIdentity, dataDir } = config;
  if (logIdentity === null) {
    return failing(
      1,
      'there is no key to sign with yet: start the ledger once, or set LEDGER_ORIGIN and LEDGER_SIGNING_KEY',
    );
  }
  const lock = lockDataDir(dataDir);
  if (E.isLeft(lock)) {
    return lock.left._tag === 'StoreInUse'
      ? signedByServing(config, logIdentity, store)
      : failing(1, troubleLine(lock.left));
  }
  try {
    return await signedHere(config, logIdentity, store);
  } catch (error) {
    return failing(1, error instanceof Error ? error.message : String(error));
  } finally {
    lock.right.release();
  }
};
