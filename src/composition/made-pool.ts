import { stat } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import { failing, type CommandFailure } from '../cli/command-failure.ts';
import { TOO_FEW_TASKS } from '../cli/refused-by-machine.ts';
import type { Environment } from '../config/index.ts';
import type { TasksLeft } from './tasks-left.ts';

/** What libuv makes where it is asked for nothing else. */
const USUAL_THREADS = 4;

/**
 * Has libuv make its threads while there is room for them, or says that there is none: it makes them when the first is needed,
 * behind threads of the ledger's own, and ends the process without a word where it can't.
 *
 * @param left see `tasksLeft`
 */
export const madePool = (env: Environment, left: TasksLeft | null): E.Either<CommandFailure, void> => {
  const asked = Number(env['UV_THREADPOOL_SIZE']);
  const threads = asked >= 1 ? asked : USUAL_THREADS;
  if (left !== null && left.left < threads) {
    return failing(
      1,
      `${TOO_FEW_TASKS} (${left.limit}; ${Math.max(0, left.left)} left, and this needs ${threads} at once)`,
    );
  }
  stat('/', () => undefined);
  return E.right(undefined);
};
