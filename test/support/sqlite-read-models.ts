import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { businessCalendar } from '../../src/domain/business-day.ts';
import { USUAL_MATCH_SETTINGS } from '../../src/domain/match-settings.ts';
import type { EventStore } from '../../src/event-store/event-store.ts';
import type { PartedLog } from '../../src/event-store/parted-log.ts';
import type { StepSizes } from '../../src/read-models/log-steps.ts';
import { withPast } from '../../src/read-models/past-read-models.ts';
import { catchUp, type RunnerEvents } from '../../src/read-models/runner.ts';
import { directReadModels } from '../../src/read-models/sqlite/direct-read-models.ts';
import { Generations } from '../../src/read-models/sqlite/generations.ts';
import { openTarget } from '../../src/read-models/sqlite/open-target.ts';
import { localTasks, LocalTasks } from '../../src/read-models/sqlite/rebuild/rebuild-tasks.ts';
import { rebuild, type RebuildDeps } from '../../src/read-models/sqlite/rebuild/rebuild.ts';
import { openQueries } from '../../src/read-models/sqlite/open-queries.ts';
import { PastStates } from '../../src/read-models/touched-orders.ts';
import type { OpenReadModels } from '../read-models/read-models-contract.ts';
import { inBatches } from './in-batches.ts';
import { right } from './right.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A runner's events that nobody listens to. */
export const QUIET: RunnerEvents = { onApplied: () => undefined, onUnreadable: () => undefined };

/** Steps of few events, so that logs of tests have more of them than are kept. */
const SHORT_STEPS: StepSizes = { events: 3, most: 4 };

/** What a rebuild of a log of a test stands on, in the test's own thread. */
export const rebuildDeps = (
  store: EventStore & PartedLog,
  generations: Generations,
  timeZone: string,
  steps = SHORT_STEPS,
): RebuildDeps => ({
  store,
  generations,
  timeZone,
  tasksUpTo: async (upTo, onProgress) => {
    const parts = await store.streamParts()();
    if (E.isLeft(parts)) return parts;
    const local = new LocalTasks(store, upTo, businessCalendar(timeZone), steps);
    return E.right({ tasks: localTasks(local, parts.right), onProgress, close: () => Promise.resolve() });
  },
  onProgress: () => undefined,
});

/** What must be there; nothing there fails the test. */
export const there = <A>(value: A | null | undefined): A => {
  if (value === null || value === undefined) throw new Error('expected something, got nothing');
  return value;
};

/** Steps of few events, some of which are kept, and not all of those for long. */
const SHORT_WAY = { eventsOfAStep: 3, stepsBetweenKept: 2, mostCells: 60 };

/** Read models in SQLite of what is in a log, in a folder of their own. */
export const openSqliteReadModels = async (
  store: EventStore & PartedLog,
  timeZone: string,
): Promise<OpenReadModels> => {
  const folder = temporaryFolder();
  const generations = right(Generations.open(join(folder.path, 'read-models.db')));
  right(await rebuild(rebuildDeps(store, generations, timeZone)));
  const target = there(openTarget(generations, timeZone, USUAL_MATCH_SETTINGS, SHORT_STEPS));
  const { queries, close } = there(openQueries(generations));
  return {
    answers: withPast(directReadModels(queries, close), new PastStates(store, SHORT_WAY)),
    project: async (sizes) => {
      right(await catchUp(inBatches(store, sizes), target, right(await store.head()()), QUIET));
    },
    close: () => {
      target.close();
      close();
      generations.close();
      folder.remove();
      return Promise.resolve();
    },
  };
};
