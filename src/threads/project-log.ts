import * as E from 'fp-ts/lib/Either.js';
import { wait } from '../concurrency/wait.ts';
import { isOutage, type EventStore } from '../event-store/event-store.ts';
import type { Checkpoint } from '../read-models/read-models.ts';
import { catchUp, moreWait, runProjections, type RunnerEvents, type RunnerFailure } from '../read-models/runner.ts';
import type { Generations } from '../read-models/sqlite/generations.ts';
import { giveUpDamaged } from '../read-models/sqlite/give-up-damaged.ts';
import type { OpenTarget } from '../read-models/sqlite/open-target.ts';
import { rebuild, type RebuildDeps } from '../read-models/sqlite/rebuild/rebuild.ts';
import { systemClock } from '../telemetry/system-clock.ts';
import { HeldToLog } from './held-to-log.ts';
import { taking, type LogTaking } from './kept-log.ts';
import type { ProjectorNews, ProjectorOptions } from './projector-message.ts';
import { toldOnce } from './told-once.ts';
import { watchGeneration } from './watch-generation.ts';

type Post = (news: ProjectorNews) => void;

/** How often a failure is tried again. */
const TRY_AGAIN_MS = 1_000;

const now = systemClock();

const failedOf = (failure: RunnerFailure): ProjectorNews => ({
  _tag: 'Failed',
  detail: failure.detail,
  isOutage: failure._tag === 'StoreUnavailable' && isOutage(failure),
});

const runnerEvents = (post: Post, onApplied: (checkpoint: Checkpoint) => void): RunnerEvents => ({
  onApplied,
  onUnreadable: (events) => {
    const named = events.map(({ stream, revision, problem }) => ({ stream, revision, problem }));
    post({ _tag: 'Unreadable', events: named });
  },
});

/** Follows the log with what serves, until another generation does, something fails, or the thread is closed. */
const follow = async (
  { store, generations, subscribe, keeper, post }: ProjectLogDeps,
  target: OpenTarget,
  reached: Checkpoint | null,
  closing: AbortSignal,
): Promise<E.Either<RunnerFailure, Checkpoint | null>> => {
  let last = reached;
  // The log was not watched between the subscription before and the one that comes.
  keeper?.doubt();
  // What was answered once stays included, whichever generation answers.
  const level = await catchUp(
    store,
    target,
    reached?.position ?? null,
    runnerEvents(post, () => undefined),
  );
  if (E.isLeft(level)) return level;
  last = target.checkpoint();
  // What a build or the catching up has read did not come by the subscription that the keeper takes from.
  keeper?.reach(last?.position ?? null);
  post({ _tag: 'Serving', generation: target.generation, stamp: target.stamp, checkpoint: last });
  const changed = new AbortController();
  const stopWatching = watchGeneration(generations, target, (change) => {
    if (change._tag === 'Removed') post(change);
    changed.abort();
  });
  const events = runnerEvents(post, (checkpoint) => {
    last = checkpoint;
    post({ _tag: 'Applied', checkpoint });
  });
  try {
    const gathering = {
      readStream: store.readStream,
      subscribe: taking(subscribe, keeper),
    };
    const over = AbortSignal.any([changed.signal, closing]);
    const ran = await runProjections(gathering, target, events, over, (batch) => moreWait(batch, now()));
    return E.map(() => last)(ran);
  } finally {
    stopWatching();
  }
};

/** What projecting a log stands on. */
export type ProjectLogDeps = {
  readonly options: ProjectorOptions;
  readonly store: EventStore;
  readonly generations: Generations;
  /** The store's, at the pace that others are left their time with. */
  readonly subscribe: EventStore['subscribe'];
  readonly keeper: LogTaking | null;
  readonly tasksUpTo: RebuildDeps['tasksUpTo'];
  readonly post: Post;
  /** How often a failure is tried again, in milliseconds. */
  readonly tryAgainMs?: number;
};

/**
 * Has read models serve, and follow the log, until the signal: they are built where there are none of this log, and held to it
 * behind each failure. It never fails itself; what did is posted, and tried again.
 */
export const projectLog = async (deps: ProjectLogDeps, closing: AbortSignal): Promise<void> => {
  const { options, store, generations, keeper } = deps;
  let isStoreAway = false;
  const post = toldOnce((news) => {
    if (news._tag === 'Failed') isStoreAway = news.isOutage;
    deps.post(news);
  });
  const isClosing = (): boolean => closing.aborted;
  let reached: Checkpoint | null = null;
  const held = new HeldToLog(store, generations, options, post);
  const giveUp = giveUpDamaged(generations);
  /** Behind an outage the store may have been put back from a backup, whatever met the outage: positions are then given again. */
  const tryAgain = async (): Promise<void> => {
    held.doubt();
    keeper?.doubt();
    // The tree needs no read models: the keeper reads the log itself, as far as it goes now, while nobody hands it over.
    if (!isStoreAway && !closing.aborted) void keeper?.start();
    isStoreAway = false;
    await wait(deps.tryAgainMs ?? TRY_AGAIN_MS, closing);
  };
  // Whoever looks at the lock of the data directory tells where that is lost.
  while (!isClosing() && generations.lost() === null) {
    const found = generations.serving();
    const target = await held.opened();
    if (target === 'failed') {
      await tryAgain();
      continue;
    }
    if (target === null) {
      await held.answerMeanwhile();
      const built = await rebuild({
        store,
        generations,
        inPlaceOf: found,
        name: options.name ?? null,
        timeZone: options.timeZone,
        ...(options.matchSettings === undefined ? {} : { matchSettings: options.matchSettings }),
        tasksUpTo: deps.tasksUpTo,
        onProgress: (share, events) => post({ _tag: 'Building', share, events }),
        signal: closing,
      });
      if (E.isRight(built)) post({ _tag: 'Built', ...built.right });
      else {
        if (built.left._tag === 'BuiltMeanwhile') continue;
        if (built.left._tag !== 'BuildUnderWay' && !isClosing()) post(failedOf(built.left));
        await tryAgain();
      }
      continue;
    }
    try {
      const ended = await follow({ ...deps, post }, target, reached, closing);
      if (E.isRight(ended)) reached = ended.right;
      else {
        if (ended.left._tag === 'ReadModelsUnavailable' && giveUp(ended.left.cause)) {
          post({ _tag: 'Removed', generation: target.generation, detail: ended.left.detail });
          continue;
        }
        if (!isClosing()) post(failedOf(ended.left));
        await tryAgain();
      }
    } finally {
      target.close();
    }
  }
};
