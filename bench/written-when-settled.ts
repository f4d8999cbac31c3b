import { setTimeout as wait } from 'node:timers/promises';
import { writtenBy, type Written } from './process-figures.ts';

const LOOK_EVERY_MS = 100;
/** A process that writes nothing for so long has done what was left to do. */
const QUIET_MS = 1_000;
const AT_MOST_MS = 60_000;

const sum = (written: Written): number => [...written.values()].reduce((all, bytes) => all + bytes, 0);

/** What a process has written since its start, once it has caught up with what it was given and writes no more. */
export const writtenWhenSettled = async (pid: number): Promise<Written> => {
  const giveUpAt = performance.now() + AT_MOST_MS;
  let [written, since] = [writtenBy(pid), performance.now()];
  while (performance.now() - since < QUIET_MS && performance.now() < giveUpAt) {
    await wait(LOOK_EVERY_MS);
    const now = writtenBy(pid);
    if (sum(now) !== sum(written)) [written, since] = [now, performance.now()];
  }
  return written;
};
