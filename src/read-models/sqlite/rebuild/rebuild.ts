import type Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { retried } from '../../../concurrency/retried.ts';
import { wait } from '../../../concurrency/wait.ts';
import { businessCalendar } from '../../../domain/business-day.ts';
import type { Position } from '../../../domain/ids.ts';
import { USUAL_MATCH_SETTINGS, type MatchSettings } from '../../../domain/match-settings.ts';
import type { EventStore, StoreUnavailable } from '../../../event-store/event-store.ts';
import type { Built, OnBuildProgress } from '../../build-progress.ts';
import { catchUp, type RunnerEvents, type RunnerFailure } from '../../runner.ts';
import { completeGeneration, markFor, openForBuild, openForWriting } from '../generation.ts';
import type { Generations } from '../generations.ts';
import type { LedgerName } from '../ledger-names.ts';
import { ProjectionStore } from '../projection-store.ts';
import { buildGeneration } from './build-generation.ts';
import { BulkLoad } from './bulk-load.ts';
import type { RebuildTasks } from './rebuild-tasks.ts';

/** Another build is under way, of this process or another. */
type BuildUnderWay = { readonly _tag: 'BuildUnderWay' };

/** Another build has put something in the place of what was to be replaced. */
type BuiltMeanwhile = { readonly _tag: 'BuiltMeanwhile' };

export type RebuildFailure = RunnerFailure | BuildUnderWay | BuiltMeanwhile;

/** What a rebuild stands on. */
export type RebuildDeps = {
  readonly store: Pick<EventStore, 'readAt' | 'head' | 'readStream' | 'subscribe'>;
  readonly generations: Generations;
  /** Who builds, from which log; null or left out: nobody takes what was built for its own unseen. */
  readonly name?: LedgerName | null;
  /** What serves, and was found to be of no use; left out: whatever serves is replaced. */
  readonly inPlaceOf?: number;
  readonly timeZone: string;
  /** What the match is configured with; the usual where nothing is said. */
  readonly matchSettings?: MatchSettings;
  /** Makes the tasks of a build up to a position; they are closed when it is done. */
  readonly tasksUpTo: (
    upTo: Position,
    onProgress: OnBuildProgress,
    signal: AbortSignal,
  ) => Promise<
    E.Either<
      StoreUnavailable,
      {
        readonly tasks: RebuildTasks;
        /** Told how far the tasks are; what went before them counts too. */
        readonly onProgress: OnBuildProgress;
        readonly close: () => Promise<void>;
      }
    >
  >;
  readonly onProgress: OnBuildProgress;
  /** Why what was built may not serve, asked before it is to; null: it may. */
  readonly refusal?: () => string | null;
  /** Gives the build up. */
  readonly signal?: AbortSignal;
};

const NEVER = new AbortController().signal;

const NOTHING: Built = { events: 0, orders: 0 };

const QUIET: RunnerEvents = { onApplied: () => undefined, onUnreadable: () => undefined };

/** Everything up to a position, by tasks that are closed again whatever comes of them. */
const loadUpTo = async (
  { store, timeZone, matchSettings, tasksUpTo, onProgress, signal = NEVER }: RebuildDeps,
  database: Database.Database,
  upTo: Position,
): Promise<E.Either<RunnerFailure, Built>> => {
  const made = await tasksUpTo(upTo, onProgress, signal);
  if (E.isLeft(made)) return made;
  try {
    const load = new BulkLoad(database, businessCalendar(timeZone), matchSettings ?? USUAL_MATCH_SETTINGS);
    return await buildGeneration(store, made.right.tasks, load, upTo, made.right.onProgress, signal);
  } finally {
    await made.right.close();
  }
};

const load = async (deps: RebuildDeps, file: string): Promise<E.Either<RunnerFailure, Built>> => {
  const head = await deps.store.head()();
  if (E.isLeft(head)) return head;
  const database = openForBuild(file, markFor(deps.timeZone, deps.matchSettings));
  try {
    const built = head.right === null ? E.right(NOTHING) : await loadUpTo(deps, database, head.right);
    if (E.isRight(built)) completeGeneration(database, file);
    return built;
  } finally {
    database.close();
  }
};

/** What was appended while the build went on is applied too, until it includes all that the serving generation does. */
const catchUpTo = async (
  { store, timeZone, matchSettings }: RebuildDeps,
  file: string,
): Promise<E.Either<RunnerFailure, void>> => {
  const head = await store.head()();
  if (E.isLeft(head)) return head;
  const database = openForWriting(file);
  try {
    const target = new ProjectionStore(database, businessCalendar(timeZone), matchSettings);
    return await catchUp(store, target, head.right, QUIET);
  } finally {
    database.close();
  }
};

const failed = (error: unknown): E.Either<RebuildFailure, never> => {
  const detail = error instanceof Error ? error.message : String(error);
  return E.left({ _tag: 'ReadModelsUnavailable', detail: `the new read models could not be built: ${detail}` });
};

const buildAndSwap = async (deps: RebuildDeps): Promise<E.Either<RebuildFailure, Built>> => {
  const { generations } = deps;
  const serving = generations.serving();
  if (deps.inPlaceOf !== undefined && deps.inPlaceOf !== serving) return E.left({ _tag: 'BuiltMeanwhile' });
  generations.removeOthers();
  const next = generations.next();
  const file = generations.fileOf(next);
  const built = await load(deps, file);
  if (E.isLeft(built)) return built;
  // The file is opened anew by its name.
  const lost = generations.lost();
  if (lost !== null) return failed(lost);
  const current = await catchUpTo(deps, file);
  if (E.isLeft(current)) return current;
  const refusal = deps.refusal?.() ?? null;
  if (refusal !== null) return failed(refusal);
  return generations.swap(serving, next, deps.name) ? built : failed('others were taken into use meanwhile');
};

/** A ledger that starts holds the lock while it removes what was left: that is no build, and is over within this. */
const LOCKED_WITHIN_MS = 1_000;
const TRY_AGAIN_MS = 50;

/** Locks out other builds. */
const locked = async (
  generations: Generations,
): Promise<E.Either<RebuildFailure, { readonly release: () => void }>> => {
  const giveUpAt = performance.now() + LOCKED_WITHIN_MS;
  try {
    const lock = await retried(
      () => Promise.resolve(generations.lockBuild()),
      (taken) => (taken === null && performance.now() < giveUpAt ? TRY_AGAIN_MS : null),
      wait,
    );
    return lock === null ? E.left({ _tag: 'BuildUnderWay' }) : E.right(lock);
  } catch (error) {
    return failed(error);
  }
};

/** Removes what no longer serves. What can't be removed now does no harm, and the next build tries again. */
const tidy = (generations: Generations): void => {
  try {
    generations.removeOthers();
  } catch {
    return;
  }
};

/**
 * Builds a fresh generation beside the serving one, catches up, and takes it into use at once; the old one serves until
 * then, and is removed after. Stopped or killed anywhere, it leaves what serves as it was.
 */
export const rebuild = async (deps: RebuildDeps): Promise<E.Either<RebuildFailure, Built>> => {
  const lock = await locked(deps.generations);
  if (E.isLeft(lock)) return lock;
  try {
    return await buildAndSwap(deps);
  } catch (error) {
    return failed(error);
  } finally {
    tidy(deps.generations);
    lock.right.release();
  }
};
