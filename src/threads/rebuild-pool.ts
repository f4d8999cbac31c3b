import { either as E } from 'fp-ts';
import type { StoreUnavailable } from '../event-store/event-store.ts';
import type { Gathered, RebuildTasks } from '../read-models/sqlite/rebuild-tasks.ts';
import type { RebuildAnswer, RebuildTask, RebuildWorkerOptions } from './rebuild-message.ts';
import { TaskPool, type TaskAnswer } from './task-pool.ts';

/** Tasks of a build in threads of their own. */
export type RebuildPool = { readonly tasks: RebuildTasks; readonly close: () => Promise<void> };

const unavailable = (detail: string): E.Either<StoreUnavailable, never> => E.left({ _tag: 'StoreUnavailable', detail });

const MISPLACED = 'a thread of the build answered another question';

const gatheredIn = (answer: TaskAnswer<RebuildAnswer>): E.Either<StoreUnavailable, Gathered> => {
  if (E.isLeft(answer)) return unavailable(answer.left);
  return answer.right._tag === 'Rest' ? E.right(answer.right.gathered) : unavailable(MISPLACED);
};

/** Starts so many threads for the build of a generation. */
export const rebuildPool = (options: RebuildWorkerOptions, threads: number, parts: number): RebuildPool => {
  const pool = new TaskPool<RebuildTask, RebuildAnswer>(
    new URL('./rebuild-worker.ts', import.meta.url),
    options,
    threads,
  );
  const tasks: RebuildTasks = {
    parts,
    // One more than there are threads, so that none waits for what is being written.
    width: threads + 1,
    part: async (part) => {
      const answer = await pool.run({ _tag: 'Part', part });
      if (E.isLeft(answer)) return unavailable(answer.left);
      return answer.right._tag === 'Part' ? answer.right.loaded : unavailable(MISPLACED);
    },
    stretch: async (after) => {
      const answer = await pool.run({ _tag: 'Stretch', after });
      if (E.isLeft(answer)) return unavailable(answer.left);
      return answer.right._tag === 'Stretch' ? answer.right.loaded : unavailable(MISPLACED);
    },
    rest: async () => E.sequenceArray((await pool.runOnEach({ _tag: 'Rest' })).map(gatheredIn)),
  };
  return { tasks, close: () => pool.close() };
};
