import * as E from 'fp-ts/lib/Either.js';
import { failing, type CommandFailure } from '../../cli/command-failure.ts';
import { boundHeaps } from '../../concurrency/bounded-heaps.ts';
import { wait } from '../../concurrency/wait.ts';
import type { Config } from '../../config/index.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { Built, OnBuildProgress } from '../../read-models/build-progress.ts';
import { areOfThisLog } from '../../read-models/of-this-log.ts';
import { withPast } from '../../read-models/past-read-models.ts';
import { catchUp, type RunnerEvents } from '../../read-models/runner.ts';
import type { Snapshot } from '../../read-models/snapshot.ts';
import { rebuild, type RebuildFailure } from '../../read-models/sqlite/rebuild.ts';
import type { Generations } from '../../read-models/sqlite/generations.ts';
import { openTarget } from '../../read-models/sqlite/open-target.ts';
import { openSnapshot } from '../../read-models/sqlite/sqlite-projections.ts';
import { PastStates } from '../../read-models/touched-orders.ts';
import { buildTasks } from '../../threads/build-tasks.ts';
import { ledgerLocation } from '../ledger-location.ts';
import { openGenerations } from '../open-generations.ts';

type Failable<A> = Promise<E.Either<CommandFailure, A>>;

/** How often a command looks whether the build of another process is done. */
const LOOK_EVERY_MS = 200;
/** A command's threads are a person's who waits, but deliveries still come first. */
const PRIORITY = 5;

const QUIET: RunnerEvents = { onApplied: () => undefined, onUnreadable: () => undefined };

const lineOf = (failed: RebuildFailure): string =>
  'detail' in failed ? failed.detail : 'another replay is under way; wait for it';

const built = (
  config: Config,
  store: EventStore,
  generations: Generations,
  onProgress: OnBuildProgress,
  inPlaceOf?: number,
): Promise<E.Either<RebuildFailure, Built>> => {
  boundHeaps();
  return rebuild({
    store,
    generations,
    ...(inPlaceOf === undefined ? {} : { inPlaceOf }),
    timeZone: config.businessTimeZone,
    matchSettings: config.match.settings,
    tasksUpTo: buildTasks(store, { location: ledgerLocation(config), timeZone: config.businessTimeZone }, PRIORITY),
    onProgress,
  });
};

/** Brings what serves up to the head of now; it is built where there is none, by whoever is first. */
const current = async (
  config: Config,
  store: EventStore,
  generations: Generations,
  onProgress: OnBuildProgress,
): Failable<void> => {
  for (;;) {
    const found = generations.serving();
    const target = openTarget(generations, config.businessTimeZone, config.match.settings);
    if (target !== null) {
      try {
        const areOf = await areOfThisLog(store, target.checkpoint())();
        if (E.isLeft(areOf)) return failing(1, areOf.left.detail);
        if (!areOf.right) {
          generations.swap(target.generation, 0);
          continue;
        }
        const head = await store.head()();
        const caughtUp = E.isLeft(head) ? head : await catchUp(store, target, head.right, QUIET);
        return E.isLeft(caughtUp) ? failing(1, caughtUp.left.detail) : E.right(undefined);
      } finally {
        target.close();
      }
    }
    const made = await built(config, store, generations, onProgress, found);
    if (E.isLeft(made)) {
      if ('detail' in made.left) return failing(1, made.left.detail);
      await wait(LOOK_EVERY_MS);
    }
  }
};

/** The read models for a command, brought up to the head of now: one state of them, whatever a ledger that serves does beside it. */
export const readModelsOfCommand = async (
  config: Config,
  store: EventStore,
  onProgress: OnBuildProgress,
): Failable<Snapshot> => {
  const generations = openGenerations(config.readModel.file);
  if (E.isLeft(generations)) return generations;
  const brought = await current(config, store, generations.right, onProgress);
  // One state of them for all that a command asks, also where a ledger that serves goes on beside it.
  const snapshot = E.isRight(brought) ? openSnapshot(generations.right, () => generations.right.close()) : null;
  if (E.isRight(brought) && snapshot !== null) return E.right(withPast(snapshot, new PastStates(store)));
  generations.right.close();
  return E.isLeft(brought) ? brought : failing(1, 'the read models were replaced; ask again');
};

/** Builds the read models anew, and lets what serves go over to them. */
export const replay = async (config: Config, store: EventStore, onProgress: OnBuildProgress): Failable<Built> => {
  const generations = openGenerations(config.readModel.file);
  if (E.isLeft(generations)) return generations;
  try {
    return E.mapLeft((failed: RebuildFailure): CommandFailure => ({ status: 1, line: lineOf(failed) }))(
      await built(config, store, generations.right, onProgress),
    );
  } finally {
    generations.right.close();
  }
};
