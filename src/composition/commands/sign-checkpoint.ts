import { randomBytes } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import { failing, type CommandFailure } from '../../cli/command-failure.ts';
import { wait } from '../../concurrency/wait.ts';
import type { Config } from '../../config/index.ts';
import type { Position } from '../../domain/ids.ts';
import { comparePositions } from '../../domain/position.ts';
import { troubleLine } from '../../domain/trouble.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import { lockDataDir } from '../../event-store/sqlite/data-dir-lock.ts';
import type { LogIdentity } from '../../proofs/checkpoint.ts';
import { endRequest, originNow, requestAcceptance } from '../../proofs/files/accepted-losses.ts';
import { goneCheckpoints } from '../../proofs/files/gone-files.ts';
import { newestOfOtherNames } from '../../proofs/files/held-names.ts';
import { readCheckpoints, type KeptCheckpoint } from '../../proofs/files/kept-checkpoints.ts';
import { TreeFiles } from '../../proofs/files/tree-files.ts';
import { treeFolder } from '../../proofs/files/tree-folder.ts';
import { unknownPast } from '../../proofs/files/unknown-past.ts';
import type { KeeperNews } from '../../proofs/keeper-news.ts';
import { LogKeeper } from '../../proofs/log-keeper.ts';
import { systemClock } from '../../telemetry/system-clock.ts';

type Failable<A> = Promise<E.Either<CommandFailure, A>>;

/** A ledger that serves signs what is committed within about a second; on a busy machine, within some. */
const LOOKS = 150;
const BETWEEN_LOOKS_MS = 100;

/**
 * The newest checkpoint that was kept, where the tree fits it and what was signed under other names, and it includes a position;
 * else null, and so where more may have been signed than is kept.
 */
const keptUpTo = (dataDir: string, identity: LogIdentity, head: Position | null): KeptCheckpoint | null => {
  const { origin } = identity;
  const newest = readCheckpoints(dataDir, origin).at(-1);
  if (newest === undefined || goneCheckpoints(dataDir, origin) !== null) return null;
  if (head !== null && unknownPast(dataDir, identity) !== null) return null;
  const others = newestOfOtherNames(dataDir, origin).filter(({ size }) => size > 0);
  if (newest.size === 0) return head === null && others.length === 0 ? newest : null;
  try {
    const files = new TreeFiles(treeFolder(dataDir), 'read');
    try {
      const isUpTo = comparePositions(files.positionOf(newest.size - 1), head) >= 0;
      const isHeld = [newest, ...others].every(
        ({ size, root }) => files.holds(size) && files.rootOf(size).equals(root),
      );
      return isUpTo && isHeld ? newest : null;
    } finally {
      files.close();
    }
  } catch {
    // The tree is being made anew.
    return null;
  }
};

const NOT_SIGNED = failing(
  1,
  'the serving ledger has not signed its last events; its log says why, and so does ramp-ledger verify',
);

/** The newest checkpoint that a serving ledger has kept, once it includes the head of now. */
const signedByServing = async (
  { dataDir }: Config,
  identity: LogIdentity,
  store: Pick<EventStore, 'head'>,
): Failable<KeptCheckpoint> => {
  const head = await store.head()();
  if (E.isLeft(head)) return failing(1, `the event store can't be read: ${head.left.detail}`);
  for (let look = 0; look < LOOKS; look += 1) {
    const newest = keptUpTo(dataDir, identity, head.right);
    if (newest !== null) return E.right(newest);
    await wait(BETWEEN_LOOKS_MS);
  }
  return NOT_SIGNED;
};

const NO_LOSS = failing(1, 'the log contains every checkpoint that was signed: there is no loss to accept');

/** Signs the log as it is, while nobody serves; where it has lost events, only with the note of who accepts that. */
const signedHere = async (
  { dataDir }: Config,
  identity: LogIdentity,
  store: Pick<EventStore, 'readAll' | 'readAt'>,
  loss: string | null,
): Failable<KeptCheckpoint> => {
  const told: KeeperNews[] = [];
  const tell = (news: KeeperNews): number => told.push(news);
  const keeper = new LogKeeper({ dataDir, identity, store, now: systemClock(), random: randomBytes, tell });
  await keeper.start();
  if (loss !== null && keeper.acceptLoss(loss) === null && told.at(-1)?._tag !== 'LogFailed') {
    await keeper.close();
    return NO_LOSS;
  }
  await keeper.close();
  const last = told.at(-1);
  const newest = readCheckpoints(dataDir, originNow(dataDir, identity.origin)).at(-1);
  if (last?._tag === 'LogSigned' && newest !== undefined) return E.right(newest);
  const why = last !== undefined && 'detail' in last ? last.detail : 'nothing was signed';
  return failing(1, last?._tag === 'LogLost' ? `${why}; nothing is signed: run ramp-ledger verify` : why);
};

/** Asks the serving ledger to accept a loss, and waits until it has, and has signed the events of now under its new name. */
const acceptedByServing = async (
  { dataDir }: Config,
  identity: LogIdentity,
  store: Pick<EventStore, 'head'>,
  note: string,
): Failable<KeptCheckpoint> => {
  const { origin } = identity;
  const head = await store.head()();
  if (E.isLeft(head)) return failing(1, `the event store can't be read: ${head.left.detail}`);
  if (keptUpTo(dataDir, identity, head.right) !== null) return NO_LOSS;
  requestAcceptance(dataDir, note);
  try {
    for (let look = 0; look < LOOKS; look += 1) {
      const now = originNow(dataDir, origin);
      const newest = now === origin ? null : keptUpTo(dataDir, { ...identity, origin: now }, head.right);
      if (newest !== null) return E.right(newest);
      await wait(BETWEEN_LOOKS_MS);
    }
    return originNow(dataDir, origin) === origin ? NO_LOSS : NOT_SIGNED;
  } finally {
    endRequest(dataDir);
  }
};

/**
 * The signed checkpoint of all events of now: the serving ledger's, or, where none serves, one that is signed here.
 * `loss`: what somebody says who knows that the log has lost events, and has it go on under another name.
 */
export const signCheckpoint = async (
  config: Config,
  store: Pick<EventStore, 'head' | 'readAll' | 'readAt'>,
  loss: string | null = null,
): Failable<KeptCheckpoint> => {
  const { logIdentity, dataDir } = config;
  if (logIdentity === null) {
    return failing(
      1,
      'there is no key to sign with yet: start the ledger once, or set LEDGER_ORIGIN and LEDGER_SIGNING_KEY',
    );
  }
  const lock = lockDataDir(dataDir);
  if (E.isLeft(lock) && lock.left._tag !== 'StoreInUse') return failing(1, troubleLine(lock.left));
  try {
    if (E.isRight(lock)) return await signedHere(config, logIdentity, store, loss);
    return loss === null
      ? await signedByServing(config, logIdentity, store)
      : await acceptedByServing(config, logIdentity, store, loss);
  } catch (error) {
    return failing(1, error instanceof Error ? error.message : String(error));
  } finally {
    if (E.isRight(lock)) lock.right.release();
  }
};
