import { killedWhenDeaf } from '../killed-when-deaf.ts';

/** What a closed terminal sends too. */
const ENDING: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Behind all that an undoing takes on a disk that answers. */
const KILLED_BEHIND_MS = 5_000;

/**
 * Undoes something where a signal ends the process before it is kept. The process then ends by that signal, as it would have;
 * where this thread stands in a call to a disk that hangs, or the disk of what is undone does, it is killed.
 *
 * @param undo at once, without waiting for anything
 * @param files what it removes, which another thread does where this one hears nothing
 * @returns to be called when there is nothing to undo any more
 */
export const undoneWhenEnded = (undo: () => void, files: readonly string[]): (() => void) => {
  const hearNothing = killedWhenDeaf(ENDING, KILLED_BEHIND_MS, files);
  const off = (): void => {
    for (const signal of ENDING) process.off(signal, end);
  };
  const end = (signal: NodeJS.Signals): void => {
    off();
    undo();
    // As long as another thread hears it, it ends nothing.
    void hearNothing().then(() => process.kill(process.pid, signal));
  };
  for (const signal of ENDING) process.on(signal, end);
  return () => {
    off();
    void hearNothing();
  };
};
