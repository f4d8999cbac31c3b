import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import { wait } from '../concurrency/wait.ts';
import { CommitSignal } from '../event-store/sqlite/commit-signal.ts';
import { watchLock } from '../event-store/watch-lock.ts';
import { Awaited } from '../read-models/awaited.ts';
import { paced, type Pace } from '../read-models/paced.ts';
import type { Generations } from '../read-models/sqlite/generations.ts';
import { systemClock } from '../telemetry/system-clock.ts';
import { buildTasks } from './build-tasks.ts';
import { keepTreeOnce } from './keep-tree-once.ts';
import { openKeeper } from './kept-log.ts';
import { openLogAndGenerations } from './log-and-generations.ts';
import { folderLost } from './ledger-location.ts';
import { lowerPriority } from './lower-priority.ts';
import { projectLog } from './project-log.ts';
import { isProjectorOptions, projectorProtocol, type ProjectorOptions } from './projector-message.ts';
import { threadEnd } from './serve-thread.ts';

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

/** What a build that was killed has left is of no use, unless another is under way. */
const removeLeftovers = (generations: Generations): void => {
  const lock = generations.lockBuild();
  if (lock === null) return;
  generations.removeOthers();
  lock.release();
};

/** As often as it is looked whether read models are where they were: what is there is not written to for longer. */
const LOOK_FOR_LOCK_MS = 250;

const serve = async (port: MessagePort, options: ProjectorOptions): Promise<void> => {
  lowerPriority(PRIORITY);
  const signal = new CommitSignal();
  const awaited = new Awaited();
  const closing = new AbortController();
  const { tell, serve: serveNotes } = threadEnd(port, projectorProtocol);
  const { lock } = options.location;
  const lost = folderLost(options.location)();
  if (lost !== null) {
    // Begun again after that: whatever it opened would be another ledger's.
    serveNotes({ answer: (never) => never, onNote: () => undefined, close: () => Promise.resolve() });
    tell({ _tag: 'FolderLost', detail: lost });
    return;
  }
  const opened = await openLogAndGenerations(options, signal);
  if (E.isLeft(opened)) {
    await keepTreeOnce(port, options);
    // It dies with the reason, and is started again.
    throw new Error(opened.left);
  }
  const { store, generations } = opened.right;
  let projecting = Promise.resolve();
  let appendedAt = -Infinity;
  const areTold = (): boolean => performance.now() - appendedAt < COMING_WITHIN_MS;
  // A store on another machine tells nobody of appends before it is asked.
  const areComing = (): boolean => options.location.kind === 'eventstoredb' || areTold();
  const pace: Pace = { ...PACE, full: FULL[options.location.kind], areComing };
  const giveWay = async (): Promise<void> => {
    if (areTold()) await wait(TREE_REST_MS, closing.signal);
  };
  const leaving = new AbortController();
  const watched =
    lock === undefined
      ? null
      : watchLock(
          lock,
          (detail) => {
            tell({ _tag: 'FolderLost', detail });
            leaving.abort();
          },
          LOOK_FOR_LOCK_MS,
        );
  const keeper = openKeeper(options, store, tell, giveWay);
  serveNotes({
    answer: (never) => never,
    onNote: (note) => {
      if (note._tag === 'Appended') {
        appendedAt = performance.now();
        signal.notify();
      } else if (note._tag === 'Awaited') awaited.add(note.position);
      else keeper?.suspectTree();
    },
    close: async () => {
      closing.abort();
      watched?.stop();
      // A question to a server that does not answer would hold up the end; one to the embedded store is answered at once. The
      // keeper is told first: what it reads ends with the store then, and is no failure.
      if (options.location.kind === 'eventstoredb') await Promise.all([keeper?.close(), store.close()]);
      await projecting;
      if (options.location.kind === 'sqlite') {
        await keeper?.close();
        await store.close();
      }
      generations.close();
    },
  });
  removeLeftovers(generations);
  void keeper?.start();
  const subscribe = paced(store.subscribe, pace, awaited);
  const tasksUpTo = buildTasks(store, options, PRIORITY, (state) => tell({ _tag: 'BuildThreads', state }));
  projecting = projectLog(
    { options, store, generations, subscribe, keeper, tasksUpTo, post: tell },
    AbortSignal.any([closing.signal, leaving.signal]),
  );
  await projecting;
};

if (parentPort !== null && isProjectorOptions(workerData)) await serve(parentPort, workerData);
