import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import { wait } from '../concurrency/wait.ts';
import { isOutage, type EventStore } from '../event-store/event-store.ts';
import { CommitSignal } from '../event-store/sqlite/commit-signal.ts';
import { Awaited } from '../read-models/awaited.ts';
import { catchUp, moreWait, runProjections, type RunnerEvents, type RunnerFailure } from '../read-models/runner.ts';
import { paced, type Pace } from '../read-models/paced.ts';
import type { Checkpoint } from '../read-models/read-models.ts';
import { giveUpDamaged } from '../read-models/sqlite/give-up-damaged.ts';
import type { Generations } from '../read-models/sqlite/generations.ts';
import { rebuild } from '../read-models/sqlite/rebuild/rebuild.ts';
import type { OpenTarget } from '../read-models/sqlite/open-target.ts';
import { systemClock } from '../telemetry/system-clock.ts';
import { buildTasks } from './build-tasks.ts';
import { HeldToLog } from './held-to-log.ts';
import { openKeeper, taking, type LogKeeping } from './kept-log.ts';
import { openLogAndGenerations } from './log-and-generations.ts';
import { lowerPriority } from './lower-priority.ts';
import {
  isProjectorOptions,
  projectorProtocol,
  type ProjectorNews,
  type ProjectorOptions,
} from './projector-message.ts';
import { threadEnd } from './serve-thread.ts';
import { watchGeneration } from './watch-generation.ts';

/** Deliveries come first: where there are more threads at work than cores, projections wait. On Linux a priority is one thread's own. */
const PRIORITY = 5;

/**
 * Read models are some 200 ms behind while many events come, and nobody waits for them. In a burst near the most that can be
 * received they fall behind by up to three seconds, and catch up as soon as it is over. At a steady rate that does not happen
 * where there are cores enough: where it does, others take them, and a rest would only be theirs.
 */
const PACE = {
  everyMs: 40,
  manyEveryMs: 200,
  share: 0.6,
  burstShare: 0.3,
  patienceMs: 3_000,
  steadyPatienceMs: 300,
  now: systemClock(),
};

/** How many events a batch of the store has where others wait behind it. */
const FULL = { sqlite: 2_048, eventstoredb: 512 } as const;

/** The writer tells of its commits every 10 ms at the least: where it has told nothing for so long, nothing comes. */
const COMING_WITHIN_MS = 100;

/**
 * A tree that is not there yet, or far behind, takes some 6 µs for an event. While deliveries come it takes a quarter of the
 * time, 512 events after each rest of so many ms.
 */
const TREE_REST_MS = 10;

/** How often a failure is tried again. */
const TRY_AGAIN_MS = 1_000;

type Post = (news: ProjectorNews) => void;

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
  store: EventStore,
  generations: Generations,
  target: OpenTarget,
  keeper: LogKeeping | null,
  reached: Checkpoint | null,
  subscribe: EventStore['subscribe'],
  post: Post,
  closing: AbortSignal,
): Promise<E.Either<RunnerFailure, Checkpoint | null>> => {
  let last = reached;
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
    const ran = await runProjections(gathering, target, events, over, (batch) => moreWait(batch, PACE.now()));
    return E.map(() => last)(ran);
  } finally {
    stopWatching();
  }
};

const project = async (
  options: ProjectorOptions,
  store: EventStore,
  generations: Generations,
  subscribe: EventStore['subscribe'],
  keeper: LogKeeping | null,
  post: Post,
  closing: AbortSignal,
): Promise<void> => {
  const isClosing = (): boolean => closing.aborted;
  const pause = (): Promise<void> => wait(TRY_AGAIN_MS, closing);
  let reached: Checkpoint | null = null;
  const held = new HeldToLog(store, generations, options, post);
  const giveUp = giveUpDamaged(generations);
  while (!isClosing()) {
    const found = generations.serving();
    const target = await held.opened();
    if (target === 'failed') {
      await pause();
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
        tasksUpTo: buildTasks(store, options, PRIORITY),
        onProgress: (share, events) => post({ _tag: 'Building', share, events }),
        signal: closing,
      });
      if (E.isRight(built)) post({ _tag: 'Built', ...built.right });
      else {
        if (built.left._tag === 'BuiltMeanwhile') continue;
        if (built.left._tag !== 'BuildUnderWay' && !isClosing()) post(failedOf(built.left));
        await pause();
      }
      continue;
    }
    try {
      const ended = await follow(store, generations, target, keeper, reached, subscribe, post, closing);
      if (E.isRight(ended)) reached = ended.right;
      else {
        if (ended.left._tag === 'ReadModelsUnavailable' && giveUp(ended.left.cause)) {
          post({ _tag: 'Removed', generation: target.generation, detail: ended.left.detail });
          continue;
        }
        // Behind an outage the store may have been put back from a backup: positions are then given again.
        held.doubt();
        keeper?.doubt();
        if (!isClosing()) post(failedOf(ended.left));
        await pause();
      }
    } finally {
      target.close();
    }
  }
};

/** What a build that was killed has left is of no use, unless another is under way. */
const removeLeftovers = (generations: Generations): void => {
  const lock = generations.lockBuild();
  if (lock === null) return;
  generations.removeOthers();
  lock.release();
};

const serve = async (port: MessagePort, options: ProjectorOptions): Promise<void> => {
  lowerPriority(PRIORITY);
  const signal = new CommitSignal();
  const awaited = new Awaited();
  const closing = new AbortController();
  const opened = await openLogAndGenerations(options, signal);
  // It dies with the reason, and is started again.
  if (E.isLeft(opened)) throw new Error(opened.left);
  const { store, generations } = opened.right;
  const { tell, serve: serveNotes } = threadEnd(port, projectorProtocol);
  let projecting = Promise.resolve();
  let appendedAt = -Infinity;
  const areTold = (): boolean => performance.now() - appendedAt < COMING_WITHIN_MS;
  // A store on another machine tells nobody of appends before it is asked.
  const areComing = (): boolean => options.location.kind === 'eventstoredb' || areTold();
  const pace: Pace = { ...PACE, full: FULL[options.location.kind], areComing };
  const giveWay = async (): Promise<void> => {
    if (areTold()) await wait(TREE_REST_MS, closing.signal);
  };
  const keeper = openKeeper(options, store, tell, giveWay);
  serveNotes({
    answer: (never) => never,
    onNote: (note) => {
      if (note._tag === 'Appended') {
        appendedAt = performance.now();
        signal.notify();
      } else awaited.add(note.position);
    },
    close: async () => {
      closing.abort();
      // A question to a server that does not answer would hold up the end; one to the embedded store is answered at once.
      if (options.location.kind === 'eventstoredb') await store.close();
      await projecting;
      await keeper?.close();
      await store.close();
      generations.close();
    },
  });
  removeLeftovers(generations);
  void keeper?.start();
  const subscribe = paced(store.subscribe, pace, awaited);
  projecting = project(options, store, generations, subscribe, keeper, tell, closing.signal);
  await projecting;
};

if (parentPort !== null && isProjectorOptions(workerData)) await serve(parentPort, workerData);
