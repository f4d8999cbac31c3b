import * as E from 'fp-ts/lib/Either.js';
import type { StoreUnavailable } from '../event-store/event-store.ts';
import type { Gathered, RebuildTasks } from '../read-models/sqlite/rebuild/rebuild-tasks.ts';
import { BUILD_THREAD } from './projector-message.ts';
import { rebuildProtocol, type RebuildAnswer, type RebuildWorkerOptions } from './rebuild-message.ts';
import { TaskPool, type PoolState } from './task-pool.ts';
import type { NoAnswer } from './worker-client.ts';

/** Tasks of a build in threads of their own. */
export type RebuildPool = { readonly tasks: RebuildTasks; readonly close: () => Promise<void> };

const unavailable = (detail: string): E.Either<StoreUnavailable, never> => E.left({ _tag: 'StoreUnavailable', detail });

const MISPLACED = 'a thread of the build answered another question';

const gatheredIn = (answer: E.Either<NoAnswer, RebuildAnswer>): E.Either<StoreUnavailable, Gathered> => {
  if (E.isLeft(answer)) return unavailable(answer.left.detail);
  return answer.right._tag === 'Rest' ? E.right(answer.right.gathered) : unavailable(MISPLACED);
};

/**
 * Starts so many threads for the build of a generation.
 *
 * @param onState told where one of them hangs
 */
export const rebuildPool = (
  options: RebuildWorkerOptions,
  threads: number,
  partTasks: number,
  onState?: (state: PoolState) => void,
): RebuildPool => {
  const file = new URL('./rebuild-worker.ts', import.meta.url);
  const pool = new TaskPool({ name: BUILD_THREAD, file, data: options, protocol: rebuildProtocol }, threads, onState);
  const tasks: RebuildTasks = {
    parts: partTasks,
    // One more than there are threads, so that none waits for what is being written.
    width: threads + 1,
    part: async (part) => {
      const answer = await pool.run({ _tag: 'Part', part });
      if (E.isLeft(answer)) return unavailable(answer.left.detail);
      return answer.right._tag === 'Part' ? answer.right.loaded : unavailable(MISPLACED);
    },
    rest: async () => E.sequenceArray((await pool.runOnEach({ _tag: 'Rest' })).map(gatheredIn)),
  };
  return { tasks, close: () => pool.close() };
};
