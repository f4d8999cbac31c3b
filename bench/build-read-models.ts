import * as E from 'fp-ts/lib/Either.js';
import { boundHeaps } from '../src/concurrency/bounded-heaps.ts';
import { troubleLine } from '../src/domain/trouble.ts';
import { openBeside, type SqliteLocation } from '../src/event-store/sqlite/sqlite-event-store.ts';
import type { Built } from '../src/read-models/build-progress.ts';
import { rebuild } from '../src/read-models/sqlite/rebuild/rebuild.ts';
import { Generations } from '../src/read-models/sqlite/generations.ts';
import { buildTasks } from '../src/threads/build-tasks.ts';

/** The default of BUSINESS_TIME_ZONE. */
const TIME_ZONE = 'UTC';
/** The usual priority: nothing else runs beside a benchmark's build. */
const PRIORITY = 0;

/** A build of all read models; `file`: that of the generation which serves now. */
export type ReadModelsBuild = Built & { readonly seconds: number; readonly file: string };

/**
 * Builds all read models anew in this process, as `ramp-ledger replay` does.
 *
 * @throws Error where that fails
 */
export const buildReadModels = async (location: SqliteLocation, readModelFile: string): Promise<ReadModelsBuild> => {
  boundHeaps();
  const store = openBeside(location);
  if (E.isLeft(store)) throw new Error(troubleLine(store.left));
  const generations = Generations.open(readModelFile);
  if (E.isLeft(generations)) throw new Error(generations.left.detail);
  const start = performance.now();
  const built = await rebuild({
    store: store.right,
    generations: generations.right,
    timeZone: TIME_ZONE,
    tasksUpTo: buildTasks(store.right, { location: { kind: 'sqlite', ...location }, timeZone: TIME_ZONE }, PRIORITY),
    onProgress: () => undefined,
  });
  const seconds = (performance.now() - start) / 1000;
  const file = generations.right.fileOf(generations.right.serving());
  generations.right.close();
  await store.right.close();
  if (E.isLeft(built)) {
    throw new Error('detail' in built.left ? built.left.detail : 'another build is under way');
  }
  return { ...built.right, seconds, file };
};
