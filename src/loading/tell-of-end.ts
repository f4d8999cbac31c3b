import { areThreadsLeft } from './start-thread.ts';
import { END, givenTold, LEAVE } from './told-end.ts';
import { waitsForNames } from './waits-for-names.ts';

/**
 * In a thread: ends it where it is told to leave, and says as it ends whether only names are waited for. From outside it looks the
 * same as one that stands in a call to a disk: its end does not come.
 */
export const tellOfEnd = (): void => {
  const told = givenTold();
  if (told === null) return;
  process.on('workerMessage', (message: unknown) => {
    // Behind the answer that it was heard.
    if (message === LEAVE) process.nextTick(() => process.exit());
  });
  process.on('exit', () => {
    Atomics.store(told, 0, waitsForNames() || areThreadsLeft() ? END.waitsForNames : END.comes);
    Atomics.notify(told, 0);
  });
};
