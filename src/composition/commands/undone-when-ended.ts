import { constants } from 'node:os';
import { exitProcess } from '../../loading/exit-process.ts';
import { killedWhenDeaf } from '../killed-when-deaf.ts';

/** What a closed terminal sends too. */
const ENDING: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Behind all that an undoing takes on a disk that answers. */
const KILLED_BEHIND_MS = 5_000;

/** What shells add to the number of the signal that ended a program. */
const BY_SIGNAL = 128;

/**
 * Undoes something where the process ends before it is kept. By a signal it then ends as it would have; where this thread
 * stands in a call to a disk that hangs, or the disk of what is undone does, it is killed.
 *
 * @param undo at once, without waiting for anything
 * @param files what it removes, which another thread does where this one hears nothing
 * @returns to be called when there is nothing to undo any more
 */
export const undoneWhenEnded = (undo: () => void, files: readonly string[]): (() => void) => {
  const hearNothing = killedWhenDeaf(ENDING, KILLED_BEHIND_MS, files);
  const off = (): void => {
    process.off('exit', undo);
    for (const signal of ENDING) process.off(signal, end);
  };
  const end = (signal: NodeJS.Signals): void => {
    off();
    undo();
    // As long as another thread hears it, it ends nothing.
    void hearNothing().then(() => {
      process.kill(process.pid, signal);
      // The first process of a container is not ended by its own signal.
      return exitProcess(BY_SIGNAL + constants.signals[signal]);
    });
  };
  // Where standard output can't be written, say, nothing is waited for.
  process.on('exit', undo);
  for (const signal of ENDING) process.on(signal, end);
  return () => {
    off();
    void hearNothing();
  };
};
