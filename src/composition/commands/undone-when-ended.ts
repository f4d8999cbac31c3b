import { killBehind } from '../kill-behind.ts';

/** What a closed terminal sends too. */
const ENDING: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Behind all that an undoing takes on a disk that answers. */
const KILLED_BEHIND_MS = 5_000;

/**
 * Undoes something where a signal ends the process before it is kept. The process then ends by that signal, as it would have;
 * where the disk of what is undone hangs, it is killed.
 *
 * @param undo at once, without waiting for anything
 * @returns to be called when there is nothing to undo any more
 */
export const undoneWhenEnded = (undo: () => void): (() => void) => {
  const kept = (): void => {
    for (const signal of ENDING) process.off(signal, end);
  };
  const end = (signal: NodeJS.Signals): void => {
    killBehind(KILLED_BEHIND_MS);
    kept();
    undo();
    process.kill(process.pid, signal);
  };
  for (const signal of ENDING) process.on(signal, end);
  return kept;
};
