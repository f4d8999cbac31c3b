import * as E from 'fp-ts/lib/Either.js';
import { failing, type CommandFailure } from '../../cli/command-failure.ts';
import { boundHeaps } from '../../concurrency/bounded-heaps.ts';
import { wait } from '../../concurrency/wait.ts';
import type { Config } from '../../config/index.ts';
import type { EventStore } from '../../event-store/event-store.ts';
import type { Built, OnBuildProgress } from '../../read-models/build-progress.ts';
import { areOfThisLog } from '../../read-models/of-this-log.ts';
import { withPast } from '../../read-models/past-read-models.ts';
import type { ReadModelsUnavailable } from '../../read-models/read-models.ts';
import { isAt } from '../../read-models/is-at.ts';
import { catchUp, type RunnerEvents } from '../../read-models/runner.ts';
import type { Snapshot } from '../../read-models/snapshot.ts';
import { rebuild, type RebuildFailure } from '../../read-models/sqlite/rebuild/rebuild.ts';
import type { Generations } from '../../read-models/sqlite/generations.ts';
import { openTarget, type OpenTarget } from '../../read-models/sqlite/open-target.ts';
import { openSnapshot, type MovableSnapshot } from '../../read-models/sqlite/open-queries.ts';
import { PastStates } from '../../read-models/touched-orders.ts';
import { buildTasks } from '../../threads/build-tasks.ts';
import { ledgerLocation } from '../ledger-location.ts';
import { ledgerNameOf } from '../ledger-name.ts';
import { logNameOf } from '../log-name.ts';
import { openGenerations } from '../open-generations.ts';
import { usedByAnother } from '../read-models-lock.ts';

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
    name: ledgerNameOf(config),
    ...(inPlaceOf === undefined ? {} : { inPlaceOf }),
    timeZone: config.businessTimeZone,
    matchSettings: config.match.settings,
    refusal: () => usedByAnother(config)?.line ?? null,
    tasksUpTo: buildTasks(store, { location: ledgerLocation(config), timeZone: config.businessTimeZone }, PRIORITY),
    onProgress,
  });
};

/**
 * What goes in is of this log from now on: where nothing was included yet, the generation may have been anybody's. One of the
 * same log stays that of the ledger that is noted.
 */
const noteLog = (config: Config, generations: Generations, { generation }: OpenTarget): void => {
  if (generations.heldFor()?.log !== logNameOf(config.eventStore)) generations.hold(generation, ledgerNameOf(config));
};

/**
 * Brings what serves up to the head of now; it is built where there is none, by whoever is first. Refused where it is another
 * ledger that serves it: both would build away what the other has built.
 */
const current = async (
  config: Config,
  store: EventStore,
  generations: Generations,
  onProgress: OnBuildProgress,
): Failable<void> => {
  for (;;) {
    const refused = usedByAnother(config);
    if (refused !== null) return E.left(refused);
    const found = generations.serving();
    const target = openTarget(generations, config.businessTimeZone, config.match.settings);
    if (target !== null) {
      try {
        const areOf = await areOfThisLog(store, target.included())();
        if (E.isLeft(areOf)) return failing(1, areOf.left.detail);
        if (!areOf.right) {
          generations.swap(target.generation, 0);
          continue;
        }
        noteLog(config, generations, target);
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

const unavailable = (detail: string): E.Either<ReadModelsUnavailable, never> =>
  E.left({ _tag: 'ReadModelsUnavailable', detail });

const REPLACED = 'the read models were replaced; ask again';

/**
 * A snapshot that is moved on where it is to include what is behind it: a command has nobody to wait for. Beside deliveries
 * the log has a new head at any time, and what asks for the one of its moment would find it behind the snapshot for good.
 */
const movedOn = (
  store: Pick<EventStore, 'readAt'>,
  snapshot: MovableSnapshot,
  bring: () => Failable<void>,
): Snapshot => ({
  ...snapshot,
  includes: (position, withinMs) => async () => {
    if (isAt(snapshot.progress().checkpoint, position)) return E.right(undefined);
    const brought = await bring();
    if (E.isLeft(brought)) return unavailable(brought.left.line);
    try {
      if (snapshot.moveOn() === 'replaced') return unavailable(REPLACED);
    } catch (error) {
      return unavailable(error instanceof Error ? error.message : String(error));
    }
    const areOf = await areOfThisLog(store, snapshot.included())();
    if (E.isLeft(areOf) || !areOf.right) return unavailable(E.isLeft(areOf) ? areOf.left.detail : REPLACED);
    return await snapshot.includes(position, withinMs)();
  },
});

/**
 * The read models for a command, brought up to the head of now: one state of them, whatever a ledger that serves does beside
 * it, until the command asks for a position that is behind it; then one that includes it.
 */
export const readModelsOfCommand = async (
  config: Config,
  store: EventStore,
  onProgress: OnBuildProgress,
): Failable<Snapshot> => {
  const opened = openGenerations(config);
  if (E.isLeft(opened)) return opened;
  const generations = opened.right;
  const bring = (): Failable<void> => current(config, store, generations, onProgress);
  const brought = await bring();
  // One state of them for all that a command asks, also where a ledger that serves goes on beside it.
  const snapshot = E.isRight(brought) ? openSnapshot(generations) : null;
  if (snapshot === null) {
    generations.close();
    return E.isLeft(brought) ? brought : failing(1, REPLACED);
  }
  const closing = { ...snapshot, close: () => snapshot.close().finally(() => generations.close()) };
  // Another process may have put others in the place of those that were brought up to now.
  const areOf = await areOfThisLog(store, snapshot.included())();
  if (E.isRight(areOf) && areOf.right) return E.right(withPast(movedOn(store, closing, bring), new PastStates(store)));
  await closing.close();
  return failing(1, E.isLeft(areOf) ? areOf.left.detail : REPLACED);
};

/** Builds the read models anew, and lets what serves go over to them. */
export const replay = async (config: Config, store: EventStore, onProgress: OnBuildProgress): Failable<Built> => {
  const refused = usedByAnother(config);
  if (refused !== null) return E.left(refused);
  const generations = openGenerations(config);
  if (E.isLeft(generations)) return generations;
  try {
    return E.mapLeft((failed: RebuildFailure): CommandFailure => ({ status: 1, line: lineOf(failed) }))(
      await built(config, store, generations.right, onProgress),
    );
  } finally {
    generations.right.close();
  }
};
